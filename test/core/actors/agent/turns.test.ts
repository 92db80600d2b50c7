import { actors, said } from '../../../support/agents.js';
import t from '../../../support/t.js';

t.test('two processes with the same agent never lose each other’s changes', async (t) => {
  const { agents, twin, agentId, settings } = await actors(t);
  const other = twin();
  await agents.send(agentId, { kind: 'configure', patch: { ai: { model: 'one' } } });
  await other.send(agentId, { kind: 'configure', patch: { ai: { instructionsPrompt: 'two' } } });
  // Its cached version is outdated, so it must read the agent again.
  await agents.send(agentId, { kind: 'configure', patch: { title: 'three' } });
  t.same(await settings(), { ai: { model: 'one', instructionsPrompt: 'two' }, title: 'three' });
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? agents : other).send(agentId, {
        kind: 'configure',
        patch: { ai: { [`field${n}`]: n } },
      }),
    ),
  );
  t.equal(Object.keys((await settings())?.ai as object).length, 42);
});

t.test('a turn that fails unexpectedly changes nothing, and the next one reads from the store', async (t) => {
  const { agents, agentId, state, store } = await actors(t);
  await agents.send(agentId, { kind: 'update', patch: { name: 'before' } });
  const insert = store.turns.run;
  store.turns.run = () => Promise.reject(new Error('broken'));
  await t.rejects(agents.send(agentId, { kind: 'update', patch: { name: 'never' } }), {
    message: 'broken',
  });
  store.turns.run = insert;
  t.equal((await state()).name, 'before');
  t.equal(
    (await agents.send(agentId, { kind: 'update', patch: { url: 'https://a.example' } })).agent.name,
    'before',
  );
});

t.test('the reply follows the commit', async (t) => {
  const { agents, agentId, state } = await actors(t);
  const { agent } = await agents.send(agentId, { kind: 'update', patch: { name: 'answered' } });
  const { version: _, ...answered } = agent;
  t.match(await state(), answered);
});

t.test('auto-retrain runs once per interval, regardless of the number of processes', async (t) => {
  const { agents, twin, agentId, pass, sent, store } = await actors(t);
  await agents.send(agentId, { kind: 'indexUrl', url: 'https://a.example/', requestId: 'r' });
  const [task] = sent;
  if (!task) throw new Error('nothing was admitted');
  await agents.send(agentId, said.succeeded(task, 'text'));
  await agents.send(agentId, { kind: 'configure', patch: { training: { autoRetrainEnabled: true } } });
  const asks = [agents, twin(), twin()];
  const round = () =>
    Promise.all(asks.map((each) => each.send(agentId, { kind: 'autoRetrain', intervalSeconds: 60 })));
  t.same(
    (await round()).filter(({ job }) => job),
    [],
    'not before its time',
  );
  pass(61_000);
  t.equal((await round()).filter(({ job }) => job).length, 1);
  t.equal((await round()).filter(({ job }) => job).length, 0);
  for (const again of sent.splice(1)) await agents.send(agentId, said.succeeded(again, 'text'));
  pass(61_000);
  t.same(await store.tasks.agentsToRetrain(1_800_000_122, 1_800_000_062, 10), [agentId]);
  t.equal((await round()).filter(({ job }) => job).length, 1);
});
