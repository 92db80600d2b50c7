import { loadSettings } from '../../config/load-settings.js';
import { whereItWorks } from '../../config/where-it-works.js';
import t from '../support/t.js';

const placesOf = (env: Record<string, string>) => whereItWorks(loadSettings({ env, cwd: '/srv/cadre' }));

t.test('describes the connected services in words, without passwords', async (t) => {
  const places = placesOf({
    DATABASE_URL: 'mysql://u:hunter2@db/a%20b',
    AMQP_URL: 'amqp://u:hunter2@mq/orders',
    AZURE_STORAGE_CONNECTION_STRING: 'AccountName=acme;AccountKey=hunter2',
  });
  t.match(places, {
    database: 'MySQL at db:3306, database a b, not encrypted',
    queue: 'rabbitmq at mq, virtual host "orders"',
    storage: 'azure-blob, account acme',
  });
  t.notMatch(JSON.stringify(places), 'hunter2');
  t.match(placesOf({}), { database: 'SQLite, /srv/cadre/data/cadre.sqlite' });
});

t.test('shows addresses with a malformed percent escape unchanged', async (t) => {
  t.match(placesOf({ DATABASE_URL: 'mysql://db/50%zz' }).database, 'database 50%zz');
  const options = JSON.stringify({ gateway: 'https://gw.example/50%/v1' });
  t.match(placesOf({ CADRE_PLUGINS_QUEUE_OPTIONS: options }).queue, 'gw.example');
});
