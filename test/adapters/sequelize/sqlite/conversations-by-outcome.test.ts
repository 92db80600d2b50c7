import { connect } from '../../../../adapters/sequelize/connect.js';
import { createConversationLists } from '../../../../adapters/sequelize/conversations/lists.js';
import { createMigrator } from '../../../../adapters/sequelize/migrations/migrate.js';
import type { ConversationFilter } from '../../../../core/ports/store/conversations/conversations.js';
import { emptyDatabase } from '../../../support/service.js';
import t from '../../../support/t.js';

t.test('SQLite pages through conversations with an outcome in the index of outcomes', async (t) => {
  const url = await emptyDatabase(t, 'sqlite');
  const connection = connect({ url, poolSize: 4, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  await createMigrator(connection).up();
  const plans: string[] = [];
  const lists = createConversationLists({
    ...connection,
    async read(sql, params) {
      const plan = await connection.read(`EXPLAIN QUERY PLAN ${sql}`, params);
      plans.push(plan.map(({ detail }) => detail).join('\n'));
      return connection.read(sql, params);
    },
  });
  const filters: ConversationFilter[] = [
    { outcome: 'unanswered' },
    { outcome: 'unanswered', source: 'widget', startDate: 1 },
    { outcome: 'unanswered', userId: 'u-1' },
  ];
  for (const filter of filters) {
    await lists.page('a', filter, { limit: 20, before: 'c' });
    await lists.count('a', filter);
  }
  t.equal(plans.length, 6);
  for (const plan of plans) {
    t.match(plan, /INDEX messages_outcome \(agent_id=\? AND outcome=\?/);
    t.notMatch(plan, /TEMP B-TREE FOR ORDER/, 'it does not sort');
    t.notMatch(plan, /SCAN (messages|conversations)/, 'it reads no whole table');
  }
  t.match(
    plans[0],
    /messages_outcome \(agent_id=\? AND outcome=\? AND conversation_id<\?\)/,
    'it seeks the page',
  );
});
