import type { Test } from 'tap';
import { seconds } from '../../../../core/ports/clock.port.js';
import { actors, said } from '../../../support/agents.js';
import { pooledMysql } from '../../../support/mysql-pool.js';
import { type Engine, onEachEngine } from '../../../support/service.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** An agent with one page, its schedule, two processes that look each minute, and the times at which runs began. */
async function scheduled(t: Test, engine: Engine, schedule: Record<string, string | number>) {
  const world = await actors(t, engine === 'mysql' ? { databaseUrl: await pooledMysql(t) } : {});
  const { agents, agentId, sent, pass, now, store } = world;
  await agents.send(agentId, { kind: 'indexUrl', url: 'https://acme.com/', requestId: 'r' });
  for (const task of sent.splice(0)) await agents.send(agentId, said.succeeded(task, 'the text'));
  const patch = { training: { autoRetrainEnabled: true }, schedule };
  await agents.send(agentId, { kind: 'configure', patch });
  const processes = [agents, world.twin()];
  const runs: string[] = [];
  const look = async () => {
    const at = seconds(now());
    for (const id of await store.tasks.agentsToRetrain(at, at - 86_400, 10))
      await Promise.all(
        processes.map((each) => each.send(id, { kind: 'autoRetrain', intervalSeconds: 86_400 })),
      );
    for (const task of sent.splice(0)) {
      runs.push(new Date(now()).toISOString());
      await agents.send(agentId, said.succeeded(task, 'the text'));
    }
  };
  return {
    ...world,
    runs,
    look,
    async live(ms: number) {
      for (let passed = 0; passed < ms; passed += 15 * MINUTE_MS) {
        pass(15 * MINUTE_MS);
        await look();
      }
    },
  };
}

const daily = { every: 1, unit: 'days', hour: 3, timeZone: 'UTC' };

await onEachEngine('an agent is read once at each moment, however many processes look', async (t, engine) => {
  // The clock of the actors begins on 2027-01-15 at 08:00 UTC.
  const { live, runs, state } = await scheduled(t, engine, daily);
  await live(3 * 24 * HOUR_MS);
  t.same(runs, ['2027-01-16T03:00:00.000Z', '2027-01-17T03:00:00.000Z', '2027-01-18T03:00:00.000Z']);
  const { retrainedAt, retrainDueAt } = await state();
  t.equal(retrainedAt, Date.parse('2027-01-18T03:00:00Z') / 1000);
  t.equal(retrainDueAt, Date.parse('2027-01-19T03:00:00Z') / 1000);
});

await onEachEngine('a run that was missed is made up once', async (t, engine) => {
  const { live, look, pass, runs } = await scheduled(t, engine, daily);
  pass(50 * HOUR_MS);
  await look();
  await look();
  t.same(runs, ['2027-01-17T10:00:00.000Z']);
  await live(24 * HOUR_MS);
  t.same(runs.slice(1), ['2027-01-18T03:00:00.000Z']);
});

await onEachEngine(
  'a clock that is set back makes no second run of a day, and no longer gap',
  async (t, engine) => {
    const { live, look, pass, runs } = await scheduled(t, engine, daily);
    await live(20 * HOUR_MS);
    t.equal(runs.length, 1);
    pass(-1.5 * HOUR_MS);
    await look();
    await live(20 * HOUR_MS);
    t.equal(runs.length, 1, 'the hour came twice');
    pass(48 * HOUR_MS);
    await look();
    pass(-48 * HOUR_MS);
    await look();
    t.equal(runs.length, 2, 'the clock was ahead');
    await live(26 * HOUR_MS);
    t.equal(runs.length, 3, 'it does not wait until the clock has caught up');
  },
);

await onEachEngine(
  'hours: a clock that is set by an hour makes no second run and no longer gap',
  async (t, engine) => {
    const { live, look, pass, runs } = await scheduled(t, engine, { every: 2, unit: 'hours' });
    await live(4 * HOUR_MS);
    t.same(runs, ['2027-01-15T10:00:00.000Z', '2027-01-15T12:00:00.000Z']);
    pass(-HOUR_MS);
    await look();
    await live(1.75 * HOUR_MS);
    t.equal(runs.length, 2);
    await live(0.25 * HOUR_MS);
    t.equal(runs.length, 3);
    pass(HOUR_MS);
    await look();
    t.equal(runs.length, 3);
    await live(HOUR_MS);
    t.equal(runs.length, 4);
  },
);

await onEachEngine(
  'pages that are never read by schedule are left out, and retrain reads them',
  async (t, engine) => {
    const { agents, agentId, workspaceId, sent, live, runs, store } = await scheduled(t, engine, daily);
    const found = await store.reads.sources(workspaceId, agentId, { limit: 1, before: null }, null);
    const documentId = found?.rows[0]?.id ?? '';
    await agents.send(agentId, { kind: 'schedulePage', documentId, schedule: 'never' });
    await live(24 * HOUR_MS);
    t.same(runs, []);
    await agents.send(agentId, { kind: 'retrain', requestId: 'r' });
    const [task] = sent.splice(0);
    t.ok(task);
    if (task) await agents.send(agentId, said.succeeded(task, 'a new text'));
    await live(24 * HOUR_MS);
    t.same(runs, [], 'new content keeps the choice');
    await agents.send(agentId, { kind: 'schedulePage', documentId, schedule: null });
    await live(24 * HOUR_MS);
    t.equal(runs.length, 1);
  },
);
