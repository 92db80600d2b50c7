import { onEachEngine, startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';

await onEachEngine(
  'concurrent changes of one workspace by two operators: none is lost',
  async (t, engine) => {
    const service = await startTestService(t, { engine });
    const other = await service.beside();
    const { id } = await service.workspace({ set: { 'limits.agents': 0 } });
    const oneMore = (store: typeof service.store) =>
      store.workspaces.update(id, ({ overrides }) => ({
        overrides: { ...overrides, limits: { agents: (overrides.limits?.agents ?? 0) + 1 } },
      }));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => oneMore(n % 2 === 0 ? service.store : other.store)),
    );
    t.equal((await service.store.workspaces.find(id))?.overrides.limits?.agents, 20);
  },
);

t.test('a workspace that does not exist cannot be changed', async (t) => {
  const { store } = await startTestService(t);
  t.equal(await store.workspaces.update('01a1ff96-0e66-7373-bdbd-37a8c8400ea7', () => ({})), false);
});
