import { extractive } from '../../../adapters/extractive/index.js';
import { pluginContext } from '../../support/models.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

t.test('a healthy process is alive and ready, and exposes its metrics', async (t) => {
  const { baseUrl, client } = await startTestService(t, { worker: {} });
  await (await client()).agent();
  const livez = await fetch(`${baseUrl}/livez`);
  t.equal(livez.status, 200);
  const readyz = await fetch(`${baseUrl}/readyz`);
  t.equal(readyz.status, 200);
  const report = (await readyz.json()) as { checks: Record<string, { ok: boolean }> };
  for (const name of ['database', 'queue', 'storage']) t.equal(report.checks[name]?.ok, true, name);
  const metrics = await fetch(`${baseUrl}/metrics`);
  t.equal(metrics.status, 200);
  t.match(metrics.headers.get('content-type'), /^text\/plain/);
  t.match(await metrics.text(), /route="\/api\/v2\/agents"/);
  for (const path of ['/livez', '/readyz', '/metrics', '/api/v2/health']) {
    t.equal((await fetch(`${baseUrl}${path}`, { method: 'HEAD' })).status, 200, path);
  }
});

t.test('concurrent scrapes share one read of the metrics', async (t) => {
  const { baseUrl } = await startTestService(t);
  const scrapes = Array.from({ length: 50 }, async () => (await fetch(`${baseUrl}/metrics`)).text());
  const texts = new Set(await Promise.all(scrapes));
  // A slow machine may need more than one read for all of them.
  t.ok(texts.size <= 5, `${texts.size} different texts`);
});

t.test('a broken storage makes the process degraded, by name', async (t) => {
  const { baseUrl } = await startTestService(t, {
    worker: {},
    storage: (real) => ({ ...real, health: () => Promise.reject(new Error('no such folder')) }),
  });
  const readyz = await fetch(`${baseUrl}/readyz`);
  t.equal(readyz.status, 200);
  const { status, checks } = (await readyz.json()) as {
    status: string;
    checks: Record<string, { ok: boolean }>;
  };
  t.equal(status, 'degraded');
  t.strictSame([checks.database?.ok, checks.queue?.ok, checks.storage?.ok], [true, true, false]);
  t.equal((await fetch(`${baseUrl}/livez`)).status, 200);
  t.equal((await fetch(`${baseUrl}/api/v2/health`)).status, 200);
});

t.test('a broken model is shown, and does not affect other work', async (t) => {
  const { port } = await extractive.start({ ...pluginContext, options: {} });
  const health = async () => ({ ok: false as const, reason: 'main refused the key' });
  const { baseUrl } = await startTestService(t, { worker: {}, model: { ...port, health } });
  const readyz = await fetch(`${baseUrl}/readyz`);
  t.equal(readyz.status, 200);
  t.match(await readyz.json(), {
    status: 'degraded',
    checks: { model: { ok: false, reason: 'main refused the key' } },
  });
});

t.test('nothing else exists outside the API', async (t) => {
  const { baseUrl } = await startTestService(t);
  for (const path of ['/', '/api', '/api/v1/agents', '/api/v2x', '/favicon.ico', '/livez/', '/.env']) {
    const answer = await fetch(`${baseUrl}${path}`);
    t.equal(answer.status, 404, path);
    t.match(await answer.json(), { error: { code: 'RESOURCE_NOT_FOUND' } });
    t.ok(answer.headers.get('x-request-id'));
  }
});
