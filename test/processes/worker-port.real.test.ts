import { client } from '../support/flows.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { webSite } from '../support/web-site.js';

const origin = 'https://docs.metrics.example';

t.test('a worker serves health checks and metrics on its own port; the API counts its jobs', async (t) => {
  const site = await webSite(t);
  site.page('/hours', 'We are open from nine to five.');
  const server = await startServer({
    dataDir: tempFolder(t),
    config: { crawl: { resolve: { [origin]: site.origin } }, jobs: { maxAttempts: 1 } },
    env: { CADRE_WORKERS_PORT: '0' },
  });
  t.teardown(() => server.killAll());
  const api = client(server.baseUrl, bootstrapKey);
  const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'measured' });
  for (const [path, status] of [
    ['/hours', 'completed'],
    ['/missing', 'failed'],
  ] as const) {
    const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, {
      url: `${origin}${path}`,
    });
    t.equal((await api.jobEnd(id, jobId)).status, status);
  }

  const line = await until('the worker tells its port', () =>
    /"port":(\d+),"msg":"worker serves health checks and metrics"/.exec(server.log()),
  );
  const worker = `http://127.0.0.1:${line[1]}`;
  t.match(await (await fetch(`${worker}/livez`)).json(), { status: 'ok' });
  const ready = await fetch(`${worker}/readyz`);
  t.equal(ready.status, 200);
  t.match(await ready.json(), { checks: { queue: { ok: true }, storage: { ok: true } } });
  const seen = await (await fetch(`${worker}/metrics`)).text();
  t.match(seen, /^build_info\{version="[^"]+",node="[^"]+"\} 1$/m);
  t.match(seen, 'crawl_pages_total{outcome="succeeded"} 1');
  t.match(seen, 'crawl_pages_total{outcome="HTTP_NOT_FOUND"} 1');
  t.match(seen, 'task_duration_seconds_count{type="crawl_page",outcome="failed"} 1');
  t.match(seen, /^source_bytes_ingested_total\{type="crawl_page"\} [1-9]/m);
  t.match(seen, 'worker_threads_busy{pool="pages"} 0');
  t.match(seen, 'worker_tasks_in_hand{type="crawl_page"} 0');
  t.equal((await fetch(`${worker}/api/v2/agents`)).status, 404, 'and nothing else');

  const told = await (await fetch(`${server.baseUrl}/metrics`)).text();
  t.match(told, 'job_duration_seconds_count{type="index_url",status="completed"} 1');
  t.match(told, 'job_duration_seconds_count{type="index_url",status="failed"} 1');
  t.match(told, 'job_queue_wait_seconds_count{type="crawl_page"} 2');
  t.match(told, 'task_attempts_total{outcome="HTTP_NOT_FOUND"} 1');
  t.match(told, /^actor_turn_duration_seconds_count\{outcome="committed"\} [1-9]/m);
  for (const gauge of ['oldest_waiting_job_seconds', 'outbox_pending', 'outbox_oldest_seconds'])
    t.match(told, new RegExp(`^${gauge} 0$`, 'm'), gauge);
  t.match(told, /^actor_mailbox_messages \d+$/m);
  const done = server
    .log()
    .split('\n')
    .find((line) => line.includes('"msg":"task done"'));
  t.match(JSON.parse(done ?? '{}'), { target: `${origin}/hours`, requestId: String });
});
