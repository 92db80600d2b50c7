import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { client } from '../support/flows.js';
import { projectFile } from '../support/project-folder.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { webSite } from '../support/web-site.js';

t.test('output of libraries and Node becomes log lines', async (t) => {
  const log = fileURLToPath(projectFile('processes/open-log.ts'));
  const script = `
    import { openLog } from ${JSON.stringify(log)};
    openLog('debug', 'test');
    console.warn('Rolling back transaction %s failed with error "%s"', 'abc', 'no such savepoint');
    console.error(Object.assign(new Error('a library lost its way'), { request: 's3cret' }));
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
  t.notMatch(stdout, 's3cret');
});

t.test('logs the causes of an error, but not what libraries attach to it', async (t) => {
  const log = fileURLToPath(projectFile('processes/open-log.ts'));
  const script = `
    import { EventEmitter } from 'node:events';
    import { openLog } from ${JSON.stringify(log)};
    const { log } = openLog('debug', 'test');
    const request = Object.assign(new EventEmitter(), { headers: { authorization: 'Bearer s3cret' } });
    for (let n = 0; n < 11; n += 1) request.on('close', () => {});
    await new Promise(setImmediate);
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', request });
    const facts = { code: 'ER_NO', statusCode: 503, parameters: ['s3cret'], parent: cause };
    log.error({ err: Object.assign(new Error('the store is away', { cause }), facts) }, 'one');
    log.error({ err: new AggregateError([cause, 'refused'], 'nobody answers') }, 'two');
    log.error({ err: { message: 'no error', request } }, 'three');
    log.error({ err: 'thrown as it is' }, 'four');
    log.error({ err: undefined }, 'five');
    const refusals = new AggregateError([cause], '');
    log.error({ err: Object.assign(new Error(''), { parent: refusals, sql: 's3cret' }) }, 'six');
    refusals.errors.push(refusals);
    log.error({ err: new Error('no connection', { cause: refusals }) }, 'seven');
    log.error({ err: Object.assign(Object.create(null), { code: 'ODD', request }) }, 'eight');
    console.error(new Error('a library gave up', { cause }));
  `;
  const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stdout = await text(child.stdout);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(lines, [
    { level: 40, err: { type: 'Error', message: /11 close listeners/, stack: /addListener/ } },
    {
      msg: 'one',
      err: {
        message: 'the store is away: connect ECONNREFUSED',
        stack: /caused by/,
        code: 'ER_NO',
        statusCode: 503,
      },
    },
    { msg: 'two', err: { message: 'nobody answers', errors: [{ code: 'ECONNREFUSED' }, 'refused'] } },
    { msg: 'three', err: { message: 'no error' } },
    { msg: 'four', err: 'thrown as it is' },
    { msg: 'five' },
    {
      msg: 'six',
      err: { type: 'Error', errors: [{ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' }] },
    },
    { msg: 'seven', err: { errors: [{ code: 'ECONNREFUSED' }, { type: 'AggregateError' }] } },
    { msg: 'eight', err: { code: 'ODD' } },
    { msg: /a library gave up[\s\S]*caused by: Error: connect ECONNREFUSED/ },
  ]);
  t.notMatch(stdout, /authorization|parameters|s3cret/);
});

t.test('no log line of any component contains the query of a URL', async (t) => {
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
