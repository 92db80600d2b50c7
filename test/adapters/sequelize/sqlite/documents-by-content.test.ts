import { connect } from '../../../../adapters/sequelize/connect.js';
import { statementsIn } from '../../../../adapters/sequelize/database/statements.js';
import { createMigrator } from '../../../../adapters/sequelize/migrations/migrate.js';
import { beginTurn } from '../../../../adapters/sequelize/turn/begin-turn.js';
import { emptyAgent } from '../../../../core/actors/agent/empty-agent.js';
import { emptyDatabase } from '../../../support/service.js';
import t from '../../../support/t.js';

t.test('SQLite finds a document by its content in the index of contents', async (t) => {
  const url = await emptyDatabase(t, 'sqlite');
  const connection = connect({ url, poolSize: 4, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  await createMigrator(connection).up();
  let lookup = '';
  await connection.transaction(async (transaction) => {
    const statements = statementsIn(
      {
        ...connection,
        within: (transaction, asked) => {
          for (const { sql } of asked) if (sql.includes('content_hash = ?')) lookup = sql;
          return connection.within(transaction, asked);
        },
      },
      transaction,
    );
    const state = emptyAgent({ id: 'a', workspaceId: 'w', name: 'a', url: null, createdAt: 1 });
    await beginTurn(statements, state).turn.documents.findByContent('text_snippet', 'a hash');
  });
  const plan = await connection.read(`EXPLAIN QUERY PLAN ${lookup}`, ['a', 'b', 'c']);
  t.match(plan.map(({ detail }) => detail).join(), /USING INDEX documents_content/);
});
