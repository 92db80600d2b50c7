import t from 'tap';
import { threadShares } from '../../../core/tasks/thread-shares.js';
import { until } from '../../support/flows.js';
import { rawRequest } from '../../support/raw-request.js';
import { startTestService } from '../../support/service.js';

let signing: Promise<void> = Promise.resolve();
const service = await startTestService(t, {
  storage: (storage) => ({
    ...storage,
    signUpload: async (path, options) => {
      await signing;
      return storage.signUpload(path, options);
    },
  }),
});
const { apiKey, id: workspaceId } = await service.workspace();

/** Whether the next request would wait at the door, if the workspace had just taken much of the thread. */
async function waitsAtTheDoor(): Promise<boolean> {
  void threadShares.begin('another workspace');
  threadShares.worksFor(workspaceId);
  for (const end = performance.now() + 80; performance.now() < end; );
  threadShares.worksFor(null);
  const turn = threadShares.begin(workspaceId);
  await turn;
  return turn !== undefined;
}

/** A request whose body never ends. */
const unended = () =>
  rawRequest(t, {
    baseUrl: service.baseUrl,
    key: apiKey,
    line: 'POST /api/v2/agents',
    headers: ['content-type: application/json', 'content-length: 100'],
    body: '{',
  });

t.test('requests count as under way until they are answered, or their client goes', async (t) => {
  const api = service.api(apiKey);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => api.get(n % 2 === 0 ? '/agents' : '/agents/nobody')),
  );
  t.same(new Set(answers.map(({ status }) => status)), new Set([200, 404]));
  t.equal(await until('no request', async () => (await waitsAtTheDoor()) === false), true);
  const two = [await unended(), await unended()];
  t.equal(await waitsAtTheDoor(), false);
  const third = await unended();
  t.equal(await until('three requests', waitsAtTheDoor), true);
  third.socket.destroy();
  t.equal(await until('two requests', async () => (await waitsAtTheDoor()) === false), true);
  for (const { socket } of two) socket.destroy();
});

t.test('the work for a client that has gone counts until it ends', async (t) => {
  const api = service.api(apiKey);
  const { id } = (await api.post('/agents', { name: 'agent' })).body as { id: string };
  let sign = () => {};
  signing = new Promise((resolve) => {
    sign = resolve;
  });
  const body = '{"files":[{"fileName":"a.txt"}]}';
  const three = await Promise.all(
    [1, 2, 3].map(() =>
      rawRequest(t, {
        baseUrl: service.baseUrl,
        key: apiKey,
        line: `POST /api/v2/agents/${id}/sources/file/upload-url`,
        headers: ['content-type: application/json', `content-length: ${body.length}`],
        body,
      }),
    ),
  );
  t.equal(await until('three requests', waitsAtTheDoor), true);
  for (const { socket } of three) socket.destroy();
  await until('no connection', async () => three.every(({ closedAt }) => closedAt() !== null));
  for (let n = 0; n < 3; n += 1) t.equal(await waitsAtTheDoor(), true);
  sign();
  t.equal(await until('the end of the work', async () => (await waitsAtTheDoor()) === false), true);
});
