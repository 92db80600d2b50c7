import { body } from '../../support/api-client.js';
import { mysqlMissing } from '../../support/mysql.js';
import { openCountedLine } from '../../support/round-trips.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { HOST } from '../../support/visitors.js';

const skip = await mysqlMissing();
const page = new TextEncoder().encode('<!doctype html><!--settings-->');

t.test('a private agent costs the same statements as an unknown one', { skip }, async (t) => {
  const line = await openCountedLine(
    t,
    /^(?:SELECT UNIX_TIMESTAMP|SET |BEGIN|COMMIT)|FROM (?:tasks|jobs|messages|uploads|webhook)/i,
  );
  const service = await startTestService(t, {
    engine: 'mysql',
    databaseUrl: line.through,
    settings: { auth: { cacheTtlSeconds: 0 } },
    widgetFiles: new Map([['page.html', page]]),
  });
  const api = await service.client();
  const { id } = await api.agent();
  await body(api.patch(`/agents/${id}/settings/security`, { isPrivate: true }));
  const unknown = '01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10';
  const ask = async (agentId: string, post: boolean) => {
    const path = `${service.baseUrl}/widget/${agentId}`;
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const answer = post
      ? await fetch(`${path}/visitor`, { ...sent, body: JSON.stringify({ origin: HOST }) })
      : await fetch(path);
    t.equal(answer.status, 404);
    await answer.text();
  };
  for (const post of [false, true]) {
    const statements = async (agentId: string) =>
      (await line.during(() => ask(agentId, post)))
        .map(({ sql }) => sql)
        .filter((sql) => sql.includes('LEFT JOIN agent_secrets'));
    const known = await statements(id);
    t.equal(known.length, 1);
    t.strictSame(await statements(unknown), known);
  }
});
