import { deflateSync } from 'node:zlib';
import {
  type Agent,
  type ApiClient,
  body,
  type ErrorBody,
  invalid,
  refused,
} from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';

interface Picture {
  hash: string;
  url: string;
}
interface Design {
  branding?: { bubbleIconUrl?: string; profilePictureUrl?: string };
}

/** The bytes of a PNG that differs by `mark`. */
function png(width: number, height: number, mark = ''): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(mark)),
    chunk('IDAT', deflateSync(Buffer.alloc(8))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** JPEG with a table among its segments before the frame. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 0, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const table = Buffer.from([0xff, 0xc4, 0, 4, 0, 0]);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2]), table, frame]);
}

function webp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write(`WEBP${form}`, 8, 'latin1');
  if (form === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (form === 'VP8L') {
    bytes[20] = 0x2f;
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    bytes.writeUIntBE(0x9d012a, 23, 3);
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  }
  return bytes;
}

await onEachEngine('pictures of an agent', async (t, engine) => {
  const service = await startTestService(t, { engine, settings: { auth: { cacheTtlSeconds: 0 } } });
  const fresh = async (options = {}) => {
    const api = service.api((await service.workspace(options)).apiKey);
    const at = `/agents/${(await api.agent()).id}`;
    return { api, at, ...usesOf(api, at) };
  };
  const usesOf = (api: ApiClient, at: string) => ({
    add: (bytes: Buffer, headers = {}) =>
      api.post<Picture & ErrorBody>(`${at}/pictures`, { data: bytes.toString('base64') }, { headers }),
    used: async () => {
      const { allowances } = await body(
        api.get<{ allowances: { storageBytes: { used: number } } }>('/workspace'),
      );
      return allowances.storageBytes.used;
    },
  });

  await t.test('a picture is stored once and served so that it can do nothing', async (t) => {
    const { api, at, add, used } = await fresh();
    const bytes = png(64, 32);
    const added = await add(bytes);
    t.equal(added.status, 201);
    const { hash, url } = added.body;
    t.equal(url, `${service.baseUrl}/widget/pictures/${hash}`);
    t.strictSame((await add(bytes)).body, { hash, url });
    t.equal(await used(), bytes.length);
    const repeated = [
      await add(png(1, 1), { 'idempotency-key': 'p' }),
      await add(png(1, 1), { 'idempotency-key': 'p' }),
    ];
    t.strictSame(repeated[0]?.body, repeated[1]?.body);

    const shown = await fetch(url);
    t.equal(shown.status, 200);
    t.strictSame(Buffer.from(await shown.arrayBuffer()), bytes);
    t.match(Object.fromEntries(shown.headers), {
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const etag = shown.headers.get('etag') ?? '';
    t.equal(
      (await fetch(url, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status,
      304,
    );

    const other = `/agents/${(await api.agent()).id}`;
    const copy = await body(usesOf(api, other).add(bytes));
    t.not(copy.hash, hash, 'of another agent, it is another picture');
    t.strictSame(await body(api.delete(`${at}/pictures/${hash}`)), { deleted: true });
    t.equal((await fetch(url)).status, 404);
    t.equal((await fetch(copy.url)).status, 200);
    await body(api.delete(other));
    t.equal((await fetch(copy.url)).status, 404, 'it goes with its agent');
    t.equal(await used(), png(1, 1).length);
    for (const unknown of [hash, 'x'])
      refused(t, await api.delete(`${at}/pictures/${unknown}`), 404, 'RESOURCE_NOT_FOUND');
  });

  await t.test('only PNG, JPEG and WebP within the limits are taken', async (t) => {
    const { api, at, add, used } = await fresh();
    const good = [
      png(1024, 1),
      jpeg(640, 480),
      webp('VP8 ', 100, 50),
      webp('VP8L', 1024, 9),
      webp('VP8X', 9, 1024),
    ];
    const types = await Promise.all(
      good.map(async (bytes) => (await fetch((await body(add(bytes))).url)).headers.get('content-type')),
    );
    t.strictSame(types, ['image/png', 'image/jpeg', 'image/webp', 'image/webp', 'image/webp']);
    const before = await used();
    const bad = [
      ...[png(1025, 1), png(1, 1025), png(0, 5), jpeg(1025, 5), webp('VP8X', 1025, 5)],
      ...[Buffer.from('GIF89a'), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), Buffer.alloc(0)],
      ...[
        png(9, 9, 'x'.repeat(262_144)),
        jpeg(9, 9).subarray(0, 12),
        Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
      ],
    ];
    for (const bytes of bad) invalid(t, await add(bytes), 'data');
    for (const data of ['%%%', png(1, 1).toString('base64').replace(/=*$/, '!'), 7, null])
      invalid(t, await api.post(`${at}/pictures`, { data }), 'data');
    invalid(t, await api.post(`${at}/pictures`, {}), 'data');
    t.equal(await used(), before);
    for (let n = good.length; n < 20; n += 1) await body(add(png(8, 8, String(n))));
    invalid(t, await add(png(8, 8, 'one more')), 'data');
    t.equal((await add(good[0] as Buffer)).status, 201, 'a known one is no new one');

    const small = await fresh({ set: { 'limits.storageBytes': 200 } });
    t.equal((await small.add(png(8, 8))).status, 201);
    refused(t, await small.add(png(8, 8, 'x'.repeat(100))), 403, 'QUOTA_STORAGE_LIMIT');
  });

  await t.test('settings name pictures of their agent', async (t) => {
    const { api, at, add } = await fresh();
    const design = `${at}/settings/design`;
    const [one, two] = [await body(add(png(8, 8))), await body(add(png(9, 9)))];
    const foreign = await body((await fresh()).add(png(8, 8)));
    const path = ({ hash }: Picture) => `/widget/pictures/${hash}`;
    const urls = { bubbleIconUrl: one.url, profilePictureUrl: two.url };

    const changed = await body(
      api.patch<Design>(design, {
        bubbleIconUrl: path(one),
        profilePictureUrl: `https://elsewhere.example${path(two)}`,
      }),
    );
    t.strictSame(changed.branding, urls, 'stored as paths, whatever the origin was');
    t.strictSame((await body(api.get<Design>(design))).branding, urls);
    t.strictSame((await body(api.get<Agent>(at))).settings, { branding: urls });
    invalid(t, await api.patch(design, { bubbleIconUrl: path(foreign) }), 'bubbleIconUrl');
    invalid(t, await api.patch(design, { bubbleIconUrl: '/widget/pictures/x' }), 'bubbleIconUrl');
    const external = await body(api.patch<Design>(design, { bubbleIconUrl: foreign.url }));
    t.equal(external.branding?.bubbleIconUrl, foreign.url, 'to others it is a URL like any other');

    interface Version {
      changes: { field: string; before: string | null; after: string | null }[];
    }
    const { data } = await body(api.get<{ data: Version[] }>(`${at}/versions`));
    t.strictSame(data[0]?.changes, [{ field: 'design.bubbleIconUrl', before: one.url, after: foreign.url }]);
    const second = await body(api.get<Version & { settings: Design }>(`${at}/versions/2`));
    t.strictSame(second.settings.branding, urls);
    await body(api.patch(`${design}?draft=true`, { bubbleIconUrl: path(one) }));
    const draft = await body(api.get<{ changes: object[] }>(`${at}/draft`));
    t.strictSame(draft.changes, [{ field: 'design.bubbleIconUrl', live: foreign.url, draft: one.url }]);
    await body(api.delete(`${at}/draft`));

    await body(api.post(`${at}/versions/2/restore`));
    await body(api.patch(design, { bubbleIconUrl: null }));
    await body(api.delete(`${at}/pictures/${one.hash}`));
    invalid(t, await api.post(`${at}/versions/2/restore`), 'bubbleIconUrl');
    await body(api.delete(`${at}/pictures/${two.hash}`));
    await body(api.patch(design, { title: 'A picture that is gone stays named' }));
  });

  await t.test('parallel additions of one picture store it once', async (t) => {
    const { add, used } = await fresh();
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(png(16, 16))));
    t.strictSame([...new Set(answers.map(({ status }) => status))], [201]);
    t.equal(await used(), png(16, 16).length);
    const { url } = await body(add(png(16, 16)));
    t.equal((await fetch(url)).status, 200);
  });
});
