import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { indexText } from '../../../../core/retrieval/index-text.js';
import { actors } from '../../../support/agents.js';
import t from '../../../support/t.js';

const source = {
  sourceType: 'text_snippet' as const,
  title: 'A title',
  content: indexText('A text.'),
  bytes: 7,
  metadata: {},
};

t.test('requests without settings work for an agent whose settings are unreadable', async (t) => {
  const { agents, agentId, workspaceId, state, settings, folder, store } = await actors(t);
  const database = new DatabaseSync(join(folder, 'cadre.sqlite'));
  t.teardown(() => database.close());
  database.exec(`UPDATE agents SET settings = 'no JSON'`);
  await t.rejects(settings(), 'they are not even JSON');

  t.equal((await state()).id, agentId);
  t.equal((await store.reads.agents(workspaceId, { limit: 1, before: null })).length, 1);
  t.type((await agents.send(agentId, { kind: 'addSource', unique: false, source })).documentId, 'string');
  t.equal((await agents.send(agentId, { kind: 'retrain', requestId: 'r' })).job, null);
  await agents.send(agentId, { kind: 'delete' });
});
