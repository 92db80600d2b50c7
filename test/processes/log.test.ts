import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { client } from '../support/flows.js';
import { projectFile } from '../support/project-folder.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { webSite } from '../support/web-site.js';

t.setTimeout(180_000);

t.test('what libraries and Node print becomes log lines', async (t) => {
  const log = fileURLToPath(projectFile('processes/open-log.ts'));
  const script = `
    import { openLog } from ${JSON.stringify(log)};
    openLog('debug', 'test');
    console.warn('Rolling back transaction %s failed with error "%s"', 'abc', 'no such savepoint');
    console.error(new Error('a library lost its way'));
    console.log('a note');
    process.emitWarning('an experiment');
  `;
  const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  t.equal(stderr, '');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(lines, [
    { level: 40, process: 'test', msg: 'Rolling back transaction abc failed with error "no such savepoint"' },
    { level: 50, msg: /^Error: a library lost its way\n {4}at / },
    { level: 30, msg: 'a note' },
    { level: 40, err: { message: 'an experiment' } },
  ]);
  t.equal(lines.length, 4);
});

t.test('no log line of any station holds the query of a URL', async (t) => {
  const origin = 'https://docs.log.example';
  const site = await webSite(t);
  site.page('/hours?token=s3cret-good', 'We are open from nine to five.');
  const server = await startServer({
    dataDir: tempFolder(t),
    config: { crawl: { resolve: { [origin]: site.origin } }, jobs: { maxAttempts: 1 } },
    env: { LOG_LEVEL: 'debug' },
  });
  t.teardown(() => server.killAll());
  const api = client(server.baseUrl, bootstrapKey);
  const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'log' });
  for (const path of ['/hours?token=s3cret-good', '/missing?token=s3cret-bad']) {
    const url = `${origin}${path}#s3cret-part`;
    const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, { url });
    await api.jobEnd(id, jobId);
  }
  t.equal(await server.stop(), 0);
  const lines = server.log().trimEnd().split('\n');
  t.ok(
    lines.some((line) => line.includes(`${origin}/hours?[redacted]`)),
    'the page was logged',
  );
  t.ok(
    lines.some((line) => line.includes(`${origin}/missing?[redacted]`)),
    'and the missing one',
  );
  t.notMatch(server.log(), 's3cret');
});
