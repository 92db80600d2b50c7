import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { body } from '../../../support/api-client.js';
import { mysqlMissing } from '../../../support/mysql.js';
import { startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';
import { until } from '../../../support/until.js';

t.test(
  'events during the deletion of their webhook leave no open delivery',
  { skip: await mysqlMissing() },
  async (t) => {
    const service = await startTestService(t, { engine: 'mysql' });
    const { apiKey } = await service.workspace({ set: { 'limits.storageBytes': 1000 } });
    const api = service.api(apiKey);
    const hook = await body(api.post<{ id: string }>('/webhooks', { url: 'https://hooks.acme.com' }));
    const { id } = await api.agent();
    const other = await createConnection(service.databaseUrl);
    t.teardown(() => other.end());
    const turnWaits = async (): Promise<boolean> => {
      // The server's list of transactions cannot be used: reading it more than ten times per second returns an old
      // state.
      const [rows] = await other.query<RowDataPacket[]>(
        `SELECT 1 FROM information_schema.processlist
          WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE 'SELECT%webhooks%LOCK IN SHARE MODE'`,
      );
      return rows.length > 0;
    };
    await other.beginTransaction();
    await other.query('DELETE FROM webhooks WHERE id = ?', [hook.id]);
    let isOver = false;
    const near = body(
      api.post(`/agents/${id}/sources/text`, { title: 't', content: 'x'.repeat(950) }),
    ).finally(() => {
      isOver = true;
    });
    await until('the turn waits for the webhook, or is over', async () => isOver || (await turnWaits()));
    await other.commit();
    await near;
    const [left] = await other.query('SELECT event FROM webhook_deliveries');
    t.strictSame(left, []);
  },
);
