import { ConfigError } from '../../config/config-error.js';
import { loadSettings } from '../../config/load-settings.js';
import t from '../support/t.js';

const problemsOf = (env: Record<string, string>): string => {
  try {
    loadSettings({ env, cwd: '/srv/cadre' });
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
};

const database = 'mysql://cadre:s3cret@db.example/cadre';
const broker = 'amqp://cadre:s3cret@mq.example/cadre';

t.test('a misspelt address prevents the start, without revealing its password', (t) => {
  for (const name of ['DATABSE_URL', 'DATABASE_ULR', 'DATABASE_URI', 'DB_URL', 'MYSQL_URL', 'database_url']) {
    const problem = problemsOf({ [name]: database });
    t.match(problem, `${name} is not a known setting. Did you mean DATABASE_URL?`);
    t.notMatch(problem, 's3cret');
  }
  t.match(problemsOf({ RABBITMQ_URL: broker }), 'Did you mean AMQP_URL?');
  t.match(problemsOf({ AMPQ_URL: broker }), 'Did you mean AMQP_URL?');
  const account = 'AccountName=a;AccountKey=a2V5';
  t.match(
    problemsOf({ AZURE_STORAGE_CONECTION_STRING: account }),
    'Did you mean AZURE_STORAGE_CONNECTION_STRING?',
  );
  t.end();
});

t.test('ignores variables of other programs', (t) => {
  t.equal(problemsOf({ DB_URL: database, DATABASE_URL: database }), '', 'the name itself is set, too');
  t.equal(problemsOf({ DB_URL: 'postgres://elsewhere/x' }), '', 'no database that Cadre could use');
  t.equal(problemsOf({ DATABASE_URLS: 'a,b', DATA_DIRS: '/x', XDG_DATA_DIRS: '/usr/share' }), '');
  t.equal(problemsOf({ BACKUP_DATABASE_URL: database }), '', 'a longer name is another name');
  t.equal(
    problemsOf({ ROLES: 'worker', DB_URL: database, AMQP_URL: broker }),
    '',
    'a worker has no database to miss',
  );
  t.end();
});
