import { join } from 'node:path';
import { ConfigError } from '../../config/config-error.js';
import { loadSettings } from '../../config/load-settings.js';
import t from '../support/t.js';

const refused = (env: Record<string, string>, cwd = '/srv/cadre'): ConfigError => {
  try {
    loadSettings({ env, cwd });
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
};

const problemsOf = (env: Record<string, string>, cwd?: string): readonly string[] =>
  refused(env, cwd).problems;

t.test('lists all mistakes of all sources at once, each with its source and a remedy', async (t) => {
  const cwd = t.testdir({
    'c.json': JSON.stringify({ crawl: { timeotMs: 5, maxBytes: '1' }, jobs: { maxAttempts: 0 }, retrain: 5 }),
  });
  const error = refused(
    { CONFIG_FILE: 'c.json', PORT: '80a', LOG_LEVEL: 'INFO', CADRE_CRAWL_TIMOUT_MS: '5', ROLES: 'worker' },
    cwd,
  );
  t.same(
    [...error.problems].sort(),
    [
      'c.json (CONFIG_FILE): crawl.timeotMs is not a known setting. Did you mean crawl.timeoutMs?',
      'c.json (CONFIG_FILE): crawl.maxBytes must be a whole number from 1 to 268435456 (bytes), not "1"',
      'c.json (CONFIG_FILE): jobs.maxAttempts must be a whole number from 1 to 100 (attempts), not 0',
      'c.json (CONFIG_FILE): retrain must be a JSON object',
      'PORT must be a whole number from 0 to 65535 (TCP port), not "80a"',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, or null, not "INFO"',
      'CADRE_CRAWL_TIMOUT_MS is not a known setting. Did you mean CADRE_CRAWL_TIMEOUT_MS?',
      'ROLES: a separate worker cannot reach the local queue, which is inside the API process. ' +
        'Set AMQP_URL (or plugins.queue.use) here and in the API process, or give one process both roles (ROLES=api,worker)',
    ].sort(),
  );
  for (const problem of error.problems) t.ok(error.message.includes(`\n- ${problem}`));
});

const wrongValues: [Record<string, string>, RegExp][] = [
  [
    { CADRE_AUTH_CACHE_TTL_SECONDS: '6' },
    /^CADRE_AUTH_CACHE_TTL_SECONDS must be .* from 0 to 5 \(seconds\), not 6$/,
  ],
  [{ PORT: '65536' }, /not 65536$/],
  [{ PORT: '3000.5' }, /not "3000\.5"$/],
  [{ PORT: '3e3' }, /not "3e3"$/],
  [{ PORT: ' 3000' }, /not " 3000"$/],
  [{ PORT: 'null' }, /not "null"$/],
  [{ ROLES: 'api,wroker' }, /^ROLES must be a list .* api, worker, not \["api","wroker"\]$/],
  [{ ROLES: 'api,api' }, /without repetition/],
  [{ ROLES: 'api,' }, /not \["api",""\]$/],
  [{ CADRE_UPLOADS_MAX_BYTES: '52428801' }, /not 52428801$/],
  [
    { CADRE_HTTP_PUBLIC_URL: 'https://x.com/' },
    /must be a bare origin .*, or null, not "https:\/\/x\.com\/"$/,
  ],
  [{ CADRE_CRAWL_RESOLVE: '{' }, /^CADRE_CRAWL_RESOLVE is not valid JSON at line 1, column 2/],
  [{ CADRE_CRAWL_RESOLVE: '[]' }, /^CADRE_CRAWL_RESOLVE must be a JSON object that maps/],
  [
    { CADRE_CRAWL_RESOLVE: '{"https://A.com":"http://b"}' },
    /holds "https:\/\/A\.com", .*; write https:\/\/a\.com$/,
  ],
  [{ CADRE_CRAWL_RESOLVE: '{"https://a.com":"http://b/x"}' }, /holds "http:\/\/b\/x", .*; write http:\/\/b$/],
  [{ CADRE_CRAWL_RESOLVE: '{"https://a.com":"ftp://b"}' }, /holds "ftp:\/\/b", which is not a bare origin/],
  [{ CADRE_CRAWL_RESOLVE: '{"https://a.com":5}' }, /holds 5, which is not a bare origin/],
  [{ CADRE_CRAWL_USER_AGENT: 'Cadre\nBot' }, /printable ASCII/],
  [{ CADRE_HTTP_PORT: '1' }, /^CADRE_HTTP_PORT is not a known setting\. Set PORT instead$/],
  [{ CADRE_AMQP_URL: 'amqp://x' }, /^CADRE_AMQP_URL .* Set AMQP_URL instead$/],
  [{ CADRE_CRAWL_TIMEOUT_MS_FILE: '/x' }, /Only secrets can be read from files/],
  [{ CADRE_QWERTYUIOP: '1' }, /Unset it; docs\/configuration\.md lists all names$/],
  [{ AMQP_URL: 'http://mq' }, /^AMQP_URL must be amqp:\/\//],
  [
    { AZURE_STORAGE_CONNECTION_STRING: 'nonsense' },
    /^AZURE_STORAGE_CONNECTION_STRING must be a connection string/,
  ],
];

for (const [env, expected] of wrongValues)
  t.test(`one mistake, one line: ${JSON.stringify(env)}`, async (t) => {
    t.match(problemsOf(env), [expected]);
    t.equal(problemsOf(env).length, 1);
  });

const wrongFiles: [string, RegExp][] = [
  ['', /is not valid JSON at line 1, column 1/],
  ['{\n  "crawl": {\n    "timeoutMs": 5,\n  }\n}', /is not valid JSON at line 4, column 3/],
  ['{"crawl": {"timeoutMs": hunter2}}', /at line 1, column 25/],
  ['{"a": "hunter2\n"}', /at line 1, column 7/],
  ['{} hunter2', /at line 1, column 4/],
  ['[]', /the whole must be a JSON object$/],
  ['{"port": 1}', /: port is not a known setting\. Did you mean http\.port\?$/],
  ['{"PORT": 1}', /: PORT is not a known setting\. Did you mean http\.port\?$/],
  ['{"crwal": {}}', /: crwal is not a known setting\. Did you mean crawl\?$/],
  ['{"database": {"pool": 1}}', /Did you mean database\.poolSize\?$/],
  ['{"crawl.timeoutMs": 1}', /: crawl\.timeoutMs must be written nested: \{"crawl": \{"timeoutMs": …\}\}$/],
  ['{"__proto__": {"port": 1}}', /: __proto__ is not a known setting/],
  ['{"crawl": {"constructor": 1}}', /: crawl\.constructor is not a known setting/],
  ['{"http": {"port": null}}', /: http\.port must be .*, not null$/],
  ['{"roles": "api"}', /: roles must be a list .*, not "api"$/],
];

t.test('one mistake in the file makes one line, and invalid JSON is not quoted', async (t) => {
  for (const [text, expected] of wrongFiles) {
    const cwd = t.testdir({ 'c.json': text });
    const problems = problemsOf({ CONFIG_FILE: 'c.json' }, cwd);
    t.match(problems, [expected], text);
    t.match(problems, [/^c\.json \(CONFIG_FILE\): /], text);
    t.equal(problems.length, 1, text);
    t.notMatch(problems.join(), 'hunter2', text);
  }
});

t.test('names an unreadable CONFIG_FILE', async (t) => {
  const cwd = t.testdir({ folder: {} });
  t.match(problemsOf({ CONFIG_FILE: 'none.json' }, cwd), [
    `none.json (CONFIG_FILE): the file ${join(cwd, 'none.json')} cannot be read (there is no such file). Correct or unset it`,
  ]);
  t.match(problemsOf({ CONFIG_FILE: 'folder' }, cwd), [/cannot be read \(EISDIR\)/]);
});
