import { createConnection } from 'mysql2/promise';
import { mysqlMissing } from '../../support/mysql.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

const text = { title: 'A title', content: 'A text.' };

t.test(
  'turns that wait for the lock of their workspace do not delay other workspaces, and end with 503',
  { skip: await mysqlMissing() },
  async (t) => {
    const service = await startTestService(t, { engine: 'mysql' });
    const locked = await service.workspace();
    const stuck = service.api(locked.apiKey);
    const agents = await Promise.all(Array.from({ length: 30 }, () => stuck.agent()));
    const quiet = await service.client();
    const { id } = await quiet.agent();

    const database = await createConnection(service.databaseUrl);
    t.teardown(() => database.end());
    await database.query('START TRANSACTION');
    await database.query('SELECT id FROM workspaces WHERE id = ? FOR UPDATE', [locked.id]);
    const answers = agents.map((agent) => stuck.post(`/agents/${agent.id}/sources/text`, text));
    const first = Promise.any(answers.map(async (answer) => answer));
    await until('some of them wait for the lock', async () => {
      const [rows] = await database.query(
        `SELECT COUNT(*) AS n FROM information_schema.processlist
          WHERE command <> 'Sleep' AND time >= 1 AND db = DATABASE() AND id <> CONNECTION_ID()`,
      );
      return Number((rows as { n: number }[])[0]?.n) >= 2;
    });

    t.equal((await quiet.get(`/agents/${id}`)).status, 200, 'another workspace reads');
    t.equal((await quiet.post(`/agents/${id}/sources/text`, text)).status, 201, 'and writes');
    t.equal((await stuck.get('/agents')).status, 200, 'and the locked one reads');

    const refused = await first;
    t.equal(refused.status, 503, 'a request that waited for too long is refused');
    t.equal(refused.headers.get('retry-after'), '1');
    await database.query('ROLLBACK');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    t.strictSame(
      statuses.filter((status) => status !== 201 && status !== 503),
      [],
    );
    t.ok(statuses.includes(201), 'requests that still waited for the lock proceed');
    const listed = await stuck.get<{ data: { id: string }[] }>('/agents?limit=100');
    t.equal(listed.body.data.length, 30);
  },
);
