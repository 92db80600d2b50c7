import t from 'tap';
import { threadShares } from '../../../core/tasks/thread-shares.js';
import { until } from '../../support/flows.js';
import { rawRequest } from '../../support/raw-request.js';
import { startTestService } from '../../support/service.js';

const service = await startTestService(t);
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
