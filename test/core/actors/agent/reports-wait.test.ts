import t from 'tap';
import { actors, said } from '../../../support/agents.js';
import { until } from '../../../support/until.js';

t.test('what workers report waits as a whole, once, while requests do not wait again', async (t) => {
  const noted: string[] = [];
  const waiting: (() => void)[] = [];
  let isBusy = false;
  const { agents, agentId, workspaceId, sent, store } = await actors(t, {
    window: 2,
    thread: {
      beginBeside(who) {
        noted.push(`${who} asks`);
        return isBusy ? new Promise((resolve) => waiting.push(resolve)) : undefined;
      },
      worksFor: (who) => void noted.push(`for ${who}`),
    },
  });
  const index = (n: number) =>
    agents.ask(agentId, { kind: 'indexUrl', url: `https://a.example/${n}`, requestId: 'r' });
  const [{ job }] = [await index(1), await index(2)];
  const [one, two] = sent.splice(0);
  if (!one || !two) throw new Error('nothing was admitted');
  t.same(noted, []);
  isBusy = true;
  const reported = Promise.all(
    [said.started(one), said.succeeded(one, 'one'), said.started(two)].map((event) =>
      agents.ask(agentId, event),
    ),
  );
  await until('the turn to wait', () => waiting.length === 1);
  t.equal((await store.reads.job(agentId, job.id))?.job.status, 'pending');
  for (const go of waiting) go();
  await reported;
  t.equal((await store.reads.job(agentId, job.id))?.job.status, 'completed');
  t.same(noted, [`${workspaceId} asks`, `for ${workspaceId}`]);
  await agents.ask(agentId, { kind: 'update', patch: { name: 'renamed' } });
  t.equal(noted.length, 2);
});
