import { systemClock } from '../../../core/ports/clock.port.js';
import { ensureFirstWorkspace } from '../../../core/workspaces/first-workspace.js';
import { refused } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';

await onEachEngine(
  'an empty database gets one workspace, regardless of the number of processes',
  async (t, engine) => {
    const { store, beside, api } = await startTestService(t, { engine });
    const other = (await beside()).store;
    const keys = await Promise.all(
      [store, other, store, other].map(({ workspaces }) =>
        ensureFirstWorkspace(workspaces, systemClock, null),
      ),
    );
    const made = keys.filter((key) => key !== null);
    t.equal(made.length, 1, 'its key is shown once');
    t.match(await store.workspaces.list(), [{ name: 'default', plan: 'business' }]);
    t.equal((await api(made[0] ?? '').get('/agents')).status, 200);
    t.equal(
      await ensureFirstWorkspace(store.workspaces, systemClock, null),
      null,
      'nor is it made at the next start',
    );
    t.equal((await store.workspaces.list()).length, 1);
  },
);

await onEachEngine('a key chosen by the operator works and is not printed', async (t, engine) => {
  const { store, api } = await startTestService(t, { engine });
  const chosen = 'a-key-that-I-chose-myself';
  t.equal(await ensureFirstWorkspace(store.workspaces, systemClock, chosen), null);
  t.equal((await api(chosen).get('/agents')).status, 200);
  t.equal(await ensureFirstWorkspace(store.workspaces, systemClock, 'another-key-at-a-later-start'), null);
  refused(t, await api('another-key-at-a-later-start').get('/agents'), 401, 'AUTH_INVALID_API_KEY');
  t.equal((await store.workspaces.list()).length, 1);
});

await onEachEngine('a database with a workspace gets no other', async (t, engine) => {
  const { store, workspace } = await startTestService(t, { engine });
  await workspace();
  t.equal(await ensureFirstWorkspace(store.workspaces, systemClock, null), null);
  t.equal((await store.workspaces.list()).length, 1);
});
