import t from 'tap';
import { withWords } from '../../../../adapters/sequelize/conversations/word-search.js';
import { connect } from '../../../../adapters/sequelize/database/connect.js';
import { createMigrator } from '../../../../adapters/sequelize/migrations/migrate.js';
import { emptyDatabase } from '../../../support/service.js';

t.test('other work gets the event loop during a long search', async (t) => {
  const connection = connect({
    url: await emptyDatabase(t, 'sqlite'),
    poolSize: 1,
    statementTimeoutMs: 1000,
  });
  t.teardown(() => connection.close());
  await createMigrator(connection).up();
  let reads = 0;
  const read: typeof connection.read = (sql, params) => {
    reads += 1;
    // As long as a statement on a slow disk.
    for (const end = performance.now() + 11; performance.now() < end; );
    return connection.read(sql, params);
  };
  let iterations = 0;
  const other = setInterval(() => {
    iterations += 1;
  }, 0);
  t.teardown(() => clearInterval(other));
  const conversations = Array.from({ length: 20 }, (_, n) => ({ id: String(99 - n), messages: 250 }));
  t.strictSame(await withWords({ read }, 'a', conversations, Uint32Array.of(1)), []);
  t.equal(reads, 20);
  t.ok(iterations >= 10, `${iterations} iterations of the event loop`);
});
