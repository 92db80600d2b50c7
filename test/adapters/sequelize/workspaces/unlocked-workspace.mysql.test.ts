import { createConnection } from 'mysql2/promise';
import { mysqlMissing } from '../../../support/mysql.js';
import { startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';
import { until } from '../../../support/until.js';

const skip = await mysqlMissing();

t.test('adding a text locks the row of its workspace only for its last statement', { skip }, async (t) => {
  const service = await startTestService(t, { engine: 'mysql' });
  const { id, apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const agent = await api.agent();
  const other = await createConnection(service.databaseUrl);
  t.teardown(() => other.end());
  await other.query('START TRANSACTION');
  await other.query('SELECT id FROM workspaces WHERE id = ? FOR UPDATE', [id]);
  const text = api.post(`/agents/${agent.id}/sources/text`, { title: 'a', content: 'b' });
  await until('the text waits for that row with the update of its counter', async () => {
    const [waiting] = await other.query(
      `SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'UPDATE workspaces %'`,
    );
    return (waiting as unknown[]).length > 0;
  });
  await other.query('COMMIT');
  t.equal((await text).status, 201);
});
