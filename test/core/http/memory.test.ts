import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { type ErrorBody, invalid, refused } from '../../support/api-client.js';
import { rawRequest } from '../../support/raw-request.js';
import { says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import {
  onEachEngine,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { largeSource } from './large-source.js';

const MIB = 1024 * 1024;
const json = 'content-type: application/json';

/** A service with less memory for bodies and responses than can be configured, so that little fills it. */
const small = (t: Test, options: TestServiceOptions = {}, bodyMemoryMb = 32) =>
  startTestService(t, { ...options, settings: { http: { bodyMemoryMb } } });

async function owner(service: TestService) {
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  return { apiKey, api, id, at: (path: string) => `/agents/${id}${path}` };
}
type Owner = Awaited<ReturnType<typeof owner>>;

const padded = (bytes: number): string => '{"isPrivate":true}'.padEnd(bytes, ' ');

const held = async ({ baseUrl }: TestService): Promise<number> =>
  Number(/^http_memory_held_bytes (\d+)$/m.exec(await (await fetch(`${baseUrl}/metrics`)).text())?.[1]);

/** Announces a body, and waits to be told to send it. */
const announce = (t: Test, service: TestService, { apiKey, at }: Owner, length: string) =>
  rawRequest(t, {
    baseUrl: service.baseUrl,
    key: apiKey,
    line: `PATCH /api/v2${at('/settings/security')}`,
    headers: [json, length, 'expect: 100-continue'],
  });

const isAskedFor = ({ text }: { text: () => string }) =>
  until('to be told to go on', () => text().startsWith('HTTP/1.1 100 '));

const RARE = 'a text that waits';

/** An indexer that waits with some texts until `go` is called. */
function waitingIndexer() {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const indexer: TestServiceOptions['indexer'] = (real) => ({
    async index(text, ...more) {
      if (text === RARE) await gone;
      return real.index(text, ...more);
    },
  });
  return { indexer, go };
}

/** Fills the memory of a key with two bodies that are worked on. Resolves with their answers. */
async function fill(service: TestService, { api, at }: Owner) {
  const before = await held(service);
  const raw = JSON.stringify({ title: 'x', content: RARE }).padEnd(2 * MIB, ' ');
  const post = () =>
    api.post(at('/sources/text'), undefined, { raw, headers: { 'content-type': 'application/json' } });
  const working = [post(), post()];
  await until('both bodies to be held', async () => (await held(service)) === before + 16 * MIB);
  return Promise.all(working).then((answers) => answers.map(({ status }) => status));
}

t.test('limits the bytes of bodies: 503 beyond it, before reading a byte', async (t) => {
  const { indexer, go } = waitingIndexer();
  const service = await small(t, { indexer });
  const [mine, theirs] = [await owner(service), await owner(service)];
  const statuses = fill(service, mine);
  await until('full memory', async () => (await held(service)) === 16 * MIB);

  // The length of a chunked body is unknown, so it counts as the maximum.
  for (const length of [`content-length: ${2 * MIB}`, 'transfer-encoding: chunked']) {
    const third = await announce(t, service, mine, length);
    await until('the refusal', () => third.text().includes('\r\n\r\n{'));
    t.match(third.text(), /^HTTP\/1\.1 503 /, 'no 100 Continue');
    t.match(third.text(), /^retry-after: 1\r$/im);
    t.match(third.text(), /"code":"INTERNAL_SERVER_ERROR"/);
  }
  const answer = await mine.api.patch<ErrorBody>(mine.at('/settings/security'), undefined, {
    raw: padded(2 * MIB),
    headers: { 'content-type': 'application/json' },
  });
  refused(t, answer, 503, 'INTERNAL_SERVER_ERROR');
  t.equal(answer.headers.get('retry-after'), '1');

  t.test('other workspaces are served during that time, including large bodies', async (t) => {
    t.equal((await service.api(null).get('/health')).status, 200);
    t.equal((await fetch(`${service.baseUrl}/livez`)).status, 200);
    const raw = { raw: padded(2 * MIB), headers: { 'content-type': 'application/json' } };
    t.equal((await theirs.api.patch(theirs.at('/settings/security'), undefined, raw)).status, 200);
    t.equal((await mine.api.get(mine.at('/settings/security'))).status, 200, 'reads of the same key, too');
  });

  t.test('an error for another reason states that reason', async (t) => {
    const absent = '/agents/01890000-0000-7000-8000-000000000000';
    refused(t, await mine.api.patch(absent, { name: 'x' }), 404, 'AGENT_NOT_FOUND');
    const long = await announce(t, service, mine, `content-length: ${2 * MIB + 1}`);
    await until('the refusal', () => long.text().includes('\r\n\r\n{'));
    t.match(long.text(), /^HTTP\/1\.1 400 /);
  });

  t.test('an answered body, or one whose client disconnected, releases its memory', async (t) => {
    go();
    t.strictSame(await statuses, [201, 201]);
    await until('the memory', async () => (await held(service)) === 0);
    const next = await announce(t, service, mine, `content-length: ${2 * MIB}`);
    await isAskedFor(next);
    t.equal(await held(service), 0, 'nothing has arrived yet');
    next.socket.write(padded(MIB));
    await until('the bytes', async () => (await held(service)) >= 4 * MIB - 4);
    next.socket.destroy();
    await until('the memory', async () => (await held(service)) === 0);
  });
});

t.test('a body holds its memory until its work has ended', async (t) => {
  const service = await small(t);
  const mine = await owner(service);
  let letGo = () => {};
  const busy = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const turn = service.store.turns.run(mine.id, null, async () => busy);
  const raw = { raw: padded(2 * MIB), headers: { 'content-type': 'application/json' } };
  const waiting = [0, 1].map(() => mine.api.patch(mine.at('/settings/security'), undefined, raw));
  await until('both bodies to be held', async () => (await held(service)) === 16 * MIB);
  refused(
    t,
    await mine.api.patch(mine.at('/settings/security'), undefined, raw),
    503,
    'INTERNAL_SERVER_ERROR',
  );
  letGo();
  await turn;
  for (const { status } of await Promise.all(waiting)) t.equal(status, 200);
  await until('all to be given back', async () => (await held(service)) === 0);
});

t.test('unread responses are limited, at the cost of their own workspace', async (t) => {
  // Reading the text takes 16 MiB, its response 8 MiB: with two pending responses, a third would exceed half of the
  // budget.
  const service = await small(t, {}, 60);
  const [mine, theirs] = [await owner(service), await owner(service)];
  const [path, theirPath] = [
    await largeSource(service.store, mine.id),
    await largeSource(service.store, theirs.id),
  ];
  const read = { baseUrl: service.baseUrl, key: mine.apiKey, line: `GET /api/v2${path}`, reads: false };
  const answersWait = (count: number) =>
    until('answers to wait', async () => Math.round((await held(service)) / MIB) === 8 * count);
  const first = await rawRequest(t, read);
  await answersWait(1);
  const second = await rawRequest(t, read);
  await answersWait(2);
  refused(t, await mine.api.get(path), 503, 'INTERNAL_SERVER_ERROR');
  t.equal((await theirs.api.get(theirPath)).status, 200);
  t.equal((await mine.api.get('/agents')).status, 200, 'small answers go through');
  for (const { socket } of [first, second]) socket.destroy();
  await until('room', async () => (await mine.api.get(path)).status === 200);
  await until('all to be given back', async () => (await held(service)) === 0);
});

t.test('a body with too many values is rejected without parsing', async (t) => {
  const service = await startTestService(t);
  const mine = await owner(service);
  const patch = (raw: string) =>
    mine.api.patch<ErrorBody>(mine.at('/settings/security'), undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
  // The body, `isPrivate` and `unknown` are values too.
  const list = (values: number) => `{"isPrivate":true,"unknown":[${'{},'.repeat(values - 4)}{}]}`;
  t.equal((await patch(list(10_000))).status, 200);
  const answer = await patch(list(10_001));
  invalid(t, answer);
  t.match(answer.body.error.message, /10000 JSON values/);
  const open = `{"isPrivate":true,"unknown":[${'1,'.repeat(200_000)}`;
  t.match((await patch(open)).body.error.message, /10000 JSON values/, 'before it is found to be malformed');
  const text = JSON.stringify({ isPrivate: true, unknown: '{"[,'.repeat(100_000) });
  t.equal((await patch(text)).status, 200, 'strings count as one value');
  const resultPath = mine.at(`/conversations/${randomUUID()}/tool-result`);
  const toolResult = (fields: object) => mine.api.post(resultPath, { toolCallId: 'a', ...fields });
  const rawResult = (raw: string) =>
    mine.api.post<ErrorBody>(resultPath, undefined, { raw, headers: { 'content-type': 'application/json' } });
  const many = Array.from({ length: 50_000 }, () => 1);
  t.equal((await toolResult({ output: many })).status, 404, 'the output of a tool does not count');
  invalid(t, await toolResult({ output: many, unknown: many.slice(0, 10_000) }));
  invalid(t, await toolResult({ output: many, unknown: many }));
  const largest = { toolCallId: 'a', output: Array.from({ length: 50_000 }, () => '\u00e9') };
  const spread = JSON.stringify(largest, null, 9).replaceAll('\u00e9', String.raw`\u00e9`);
  t.ok(spread.length > MIB);
  t.equal((await rawResult(spread)).status, 404, 'neither do white space and escape sequences');
  const tooLarge = `{"toolCallId":"a","output":{${Array.from({ length: 40_000 }, (_, n) => `"${n}":1`).join()}`;
  t.match((await rawResult(tooLarge)).body.error.message, /10000 JSON values/, 'it is not parsed either');
});

await onEachEngine('an export is rejected before its messages are read', async (t, engine) => {
  const { indexer, go } = waitingIndexer();
  const answerer = scriptedAnswerer(says('x'.repeat(3 * MIB)));
  const service = await small(t, { engine, answerer, indexer });
  const mine = await owner(service);
  await mine.api.post(mine.at('/chat'), { message: 'Hello', stream: false });
  const { reads } = service.store.conversations;
  const { messages } = reads;
  let looked = 0;
  reads.messages = (...page) => {
    looked += 1;
    return messages(...page);
  };
  const path = mine.at('/conversations/export');
  const bodies = fill(service, mine);
  await until('full memory', async () => (await held(service)) === 16 * MIB);
  refused(t, await mine.api.get(path), 503, 'INTERNAL_SERVER_ERROR');
  t.equal(looked, 0);
  t.equal((await mine.api.get(`${path}?include=summary`)).status, 200, 'what takes little is answered');
  go();
  await bodies;
  await until('the memory', async () => (await held(service)) === 0);
  const answer = await mine.api.get(path);
  t.equal(answer.status, 200);
  t.ok(answer.text.length > 3 * MIB);
  await until('the memory', async () => (await held(service)) === 0);
});
