import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import { type Agent, type Answer, invalid } from '../../support/api-client.js';
import { inCorpus, missingFromCorpus } from '../../support/corpus/folder.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const { apiKey } = await service.workspace();
const api = service.api(apiKey);
const JSON_TYPE = 'application/json';
const MIB = 1024 * 1024;

const post = (
  raw: string | Uint8Array,
  type: string | null = JSON_TYPE,
  headers: Record<string, string> = {},
) =>
  api.send<Agent>('POST', '/agents', undefined, {
    raw: typeof raw === 'string' ? raw : Uint8Array.from(raw),
    headers: { ...(type === null ? {} : { 'content-type': type }), ...headers },
  });

function accepted(t: Test, answer: Answer<Agent>, name: string): void {
  t.equal(answer.status, 201, answer.text.slice(0, 200));
  t.equal(answer.body.name, name);
}

t.test('the content type must be application/json, with or without parameters', async (t) => {
  for (const type of [
    JSON_TYPE,
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;a=b',
  ]) {
    accepted(t, await post('{"name":"a"}', type), 'a');
  }
  const wrong = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/ld+json',
    'text/json',
    'application/jsonp',
    'json',
    '*/*',
  ];
  for (const type of [...wrong, 'multipart/form-data; boundary=x', null])
    invalid(t, await post('{"name":"a"}', type));
});

t.test('the body must be an object', async (t) => {
  for (const raw of [
    '',
    ' ',
    '[]',
    '[{"name":"a"}]',
    '"a"',
    '1',
    'null',
    'true',
    '{',
    '{"name":"a"}}',
    '{"name":"a",}',
    "{'name':'a'}",
    '{"name":NaN}',
  ]) {
    invalid(t, await post(raw));
  }
  invalid(t, await api.post('/agents'));
});

t.test('the last of duplicate keys counts', async (t) => {
  accepted(t, await post('{"name":"a","name":"b"}'), 'b');
  accepted(t, await post('{"name":5,"name":"b"}'), 'b');
  invalid(t, await post('{"name":"a","name":5}'), 'name');
});

t.test('the body must be UTF-8 without a byte order mark', async (t) => {
  accepted(t, await post('{"name":"Zoë \u{1F600}"}'), 'Zoë \u{1F600}');
  invalid(t, await post('\u{FEFF}{"name":"a"}'));
  for (const bytes of [
    '7b226e616d65223a22ff227d',
    '7b226e616d65223a22c080227d',
    '7b226e616d65223a22eda080227d',
    '7b226e616d65223a22e4227d',
  ]) {
    invalid(t, await post(Buffer.from(bytes, 'hex')));
  }
  invalid(t, await post(Buffer.from('{"name":"a"}', 'utf16le')));
  invalid(t, await post(Buffer.from('{"name":"ä"}', 'latin1'), 'application/json; charset=iso-8859-1'));
});

t.test('no string may contain U+0000 or a lone surrogate, not even in an ignored field', async (t) => {
  const good = ['\\\\u0000', '\\ud83d\\ude00', '\\\\ud800', '\\u0001', '\\uFFFE', '\\ud7ff', '\\ue000'];
  for (const text of good) t.equal((await post(`{"name":"a${text}"}`)).status, 201, text);
  const bad = [
    '\\u0000',
    '\\ud800',
    '\\uDFFF',
    '\\ude00\\ud83d',
    '\\ud83d\\ud83d',
    '\\ud83dx',
    '\\ud800\\u0041',
  ];
  for (const text of bad) {
    invalid(t, await post(`{"name":"a${text}"}`));
    invalid(t, await post(`{"name":"a","x":{"y":["${text}"]}}`));
    invalid(t, await post(`{"name":"a","${text}":1}`));
  }
});

t.test('rejects a body above 2 MiB', async (t) => {
  const padded = (bytes: number) => '{"name":"a"}'.padEnd(bytes, ' ');
  accepted(t, await post(padded(2 * MIB)), 'a');
  invalid(t, await post(padded(2 * MIB + 1)));
  invalid(t, await post(padded(8 * MIB)));
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': JSON_TYPE };
  const chunks = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(MIB / 8, 0x20)));
  const init = { method: 'POST', headers, body: Readable.toWeb(chunks), duplex: 'half' };
  const unannounced = await fetch(`${service.baseUrl}/api/v2/agents`, init as unknown as RequestInit);
  t.equal(unannounced.status, 400, 'also when its length is not announced');
  await unannounced.text();
});

t.test('a compressed body has the same limit, or is rejected', async (t) => {
  const answer = await post(gzipSync('{"name":"a"}'), JSON_TYPE, { 'content-encoding': 'gzip' });
  t.ok([201, 400].includes(answer.status), answer.text);
  invalid(t, await post(gzipSync(Buffer.alloc(64 * MIB, 0x20)), JSON_TYPE, { 'content-encoding': 'gzip' }));
  invalid(t, await post('{"name":"a"}', JSON_TYPE, { 'content-encoding': 'gzip' }));
  invalid(
    t,
    await post(brotliCompressSync('{"name":"a"}').subarray(3), JSON_TYPE, { 'content-encoding': 'br' }),
  );
  invalid(t, await post('{"name":"a"}', JSON_TYPE, { 'content-encoding': 'nonsense' }));
});

t.test('no key of a body reaches a prototype', async (t) => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    invalid(t, await post(`{"${key}":{"name":"a"}}`), 'name');
    accepted(t, await post(`{"name":"a","${key}":{"url":"https://example.com","polluted":true}}`), 'a');
    invalid(
      t,
      await api.send('PATCH', `/agents/${(await api.agent()).id}`, undefined, {
        raw: `{"${key}":{"name":"b"}}`,
        headers: { 'content-type': JSON_TYPE },
      }),
    );
  }
  t.equal(({} as { polluted?: boolean }).polluted, undefined);
  const { id } = await api.agent();
  const rateLimit =
    '{"maxMessages":5,"windowSeconds":60,"limitMessage":"x","__proto__":{"polluted":true},"constructor":1}';
  const security = await api.send('PATCH', `/agents/${id}/settings/security`, undefined, {
    raw: `{"rateLimit":${rateLimit},"__proto__":{"isPrivate":true}}`,
    headers: { 'content-type': JSON_TYPE },
  });
  t.strictSame(security.body, { rateLimit: { maxMessages: 5, windowSeconds: 60, limitMessage: 'x' } });
});

t.test('deep nesting and huge numbers are harmless', async (t) => {
  // More values than a body may have, and fewer.
  for (const deep of [200_000, 9_000]) {
    t.ok((await post(`{"name":"a","x":${'['.repeat(deep)}${']'.repeat(deep)}}`)).status < 500);
    t.ok(
      (await post(`{"name":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)},"x":"\\ud83d\\ude00"}`)).status < 500,
    );
  }
  invalid(t, await post(`{"name":${'9'.repeat(100_000)}}`), 'name');
});

const corpus = inCorpus('json', 'test_parsing');
const skip = missingFromCorpus('json');

t.test(
  'malformed JSON texts of the corpus return 400, and none causes an internal error',
  { skip },
  async (t) => {
    for (const file of readdirSync(corpus)) {
      const bytes = readFileSync(resolve(corpus, file));
      const { status } = await post(bytes);
      if (file.startsWith('n_')) t.equal(status, 400, file);
      else t.ok(status < 500, file);
    }
  },
);
