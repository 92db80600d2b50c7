import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { readBody } from '../../../workers/crawl/response-body.js';
import t from '../../support/t.js';
import { failureFrom, never } from './local-site.js';

const text = 'opening hours '.repeat(500);
const read = async (
  body: Buffer | Readable,
  encoding = '',
  maxBytes = 100_000,
  overflow: 'fail' | 'truncate' = 'fail',
) => {
  const source = Buffer.isBuffer(body) ? Readable.from([body.subarray(0, 3), body.subarray(3)]) : body;
  return Buffer.from(await readBody(source, encoding, { maxBytes, overflow }, never)).toString();
};

t.test('decodes every requested content coding', async (t) => {
  t.equal(await read(Buffer.from(text)), text);
  t.equal(await read(Buffer.from(text), 'identity'), text);
  t.equal(await read(gzipSync(text), 'gzip'), text);
  t.equal(await read(gzipSync(text), 'X-GZIP'), text);
  t.equal(await read(brotliCompressSync(text), 'br'), text);
  t.equal(await read(deflateSync(text), 'deflate'), text);
  t.equal(await read(deflateRawSync(text), 'deflate'), text, 'without its zlib header');
  t.equal(await read(gzipSync(deflateSync(text)), 'deflate, gzip'), text);
  t.equal(await read(Buffer.alloc(0), 'gzip'), '');
});

t.test('the beginning of a body is judged once there is enough of it, decoded', async (t) => {
  for (const [body, encoding] of [
    [Buffer.from(text), ''],
    [Buffer.from(text.slice(0, 20)), ''],
    [gzipSync(text), 'gzip'],
    [gzipSync(text), ''],
  ] as const) {
    const seen: string[] = [];
    const chunks = Readable.from([body.subarray(0, 3), body.subarray(3)]);
    const limits = { maxBytes: 100_000, overflow: 'fail' } as const;
    await readBody(chunks, encoding, limits, never, (start) => seen.push(Buffer.from(start).toString()));
    t.ok(seen.length > 0 && seen.every((start) => start.startsWith('opening hours')), encoding);
  }
});

t.test('an unknown coding is a failure', async (t) => {
  const frame = Buffer.from('28b52ffd2000000000', 'hex');
  t.match(await failureFrom(read(frame, 'zstd')), { code: 'CONTENT_TYPE_UNSUPPORTED' });
  t.match(await failureFrom(read(Buffer.from(text), 'gzip, gzip, gzip')), {
    code: 'CONTENT_TYPE_UNSUPPORTED',
  });
});

t.test('a text is read although its header names an unsupported coding', async (t) => {
  t.equal(await read(Buffer.from('<p>Words.</p>'), 'zstd'), '<p>Words.</p>');
});

t.test('damaged compression is a failure', async (t) => {
  const damaged = { code: 'FETCH_FAILED', message: /damaged/ };
  t.match(await failureFrom(read(gzipSync(text).subarray(0, 40), 'gzip')), damaged);
  const packed = brotliCompressSync(Array.from({ length: 300 }, (_, at) => `Berth ${at * at}`).join());
  t.match(await failureFrom(read(packed.subarray(0, 200), 'br')), damaged);
});

t.test('the bytes decide if the header is missing, repeated or wrong', async (t) => {
  t.equal(await read(gzipSync(text)), text, 'gzip without a header');
  t.equal(await read(gzipSync(text), 'gzip, gzip'), text, 'stated twice');
  t.equal(await read(gzipSync(gzipSync(text)), 'gzip'), text, 'encoded twice');
  for (const coding of ['gzip', 'br', 'deflate', 'utf-8', 'none', 'gzip, br'])
    t.equal(await read(Buffer.from(text), coding), text, coding);
  t.equal(await read(gzipSync(text), 'utf-8'), text);
});

t.test('the limit applies before and after decompression', async (t) => {
  t.equal((await read(Buffer.alloc(1000, 'a'), '', 1000)).length, 1000);
  t.match(await failureFrom(read(Buffer.alloc(1001, 'a'), '', 1000)), { code: 'BODY_TOO_LARGE' });
  t.equal((await read(gzipSync(Buffer.alloc(1000, 'a')), 'gzip', 1000)).length, 1000);
  t.match(await failureFrom(read(gzipSync(Buffer.alloc(1001, 'a')), 'gzip', 1000)), {
    code: 'BODY_TOO_LARGE',
  });
});

t.test('stops early if a small body decompresses to a huge one', async (t) => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(200_000_000)));
  t.ok(bomb.length < 5000, `${bomb.length} bytes`);
  const before = process.memoryUsage().arrayBuffers;
  t.match(await failureFrom(read(bomb, 'gzip, gzip', 1_000_000)), { code: 'BODY_TOO_LARGE' });
  t.ok(process.memoryUsage().arrayBuffers - before < 20_000_000, 'it was never unpacked');
});

t.test('stops reading an endless body at the limit', async (t) => {
  let sent = 0;
  const endless = new Readable({
    read() {
      sent += 1000;
      this.push(Buffer.alloc(1000));
    },
  });
  t.match(await failureFrom(read(endless, '', 50_000)), { code: 'BODY_TOO_LARGE' });
  t.ok(endless.destroyed);
  t.ok(sent < 500_000, `${sent} bytes were asked for`);
});

t.test('truncates a body at the limit if its beginning is enough', async (t) => {
  t.equal(await read(Buffer.from('abcdef'), '', 4, 'truncate'), 'abcd');
  t.equal(
    await read(gzipSync('abcdefghijklmnopqrstuvwxyz'.repeat(50)), 'gzip', 100, 'truncate').then(
      (s) => s.length,
    ),
    100,
  );
});

t.test('an aborted read ends with the reason', async (t) => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  const reading = readBody(
    Readable.from([Buffer.from('a')]),
    '',
    { maxBytes: 10, overflow: 'fail' },
    stop.signal,
  );
  await t.rejects(reading, { message: 'stopped' });
});
