import { openLink } from '../../../adapters/rabbitmq/link.js';
import { loadSettings } from '../../../config/load-settings.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { amqpUrl, rabbitmqMissing } from '../../support/rabbitmq.js';
import t from '../../support/t.js';

/** RabbitMQ closes a connection after two to three heartbeat intervals without data. */
const INTERVALS = 3;

t.test(
  'the broker detects a silent worker before the lease of its task expires',
  { skip: await rabbitmqMissing() },
  async (t) => {
    let agreed = 0;
    const link = await openLink({
      url: amqpUrl,
      name: 'link test',
      log: silentLog,
      setup: async ({ connection }) => {
        agreed = (connection as unknown as { heartbeat: number }).heartbeat;
      },
    });
    t.teardown(() => link.close());
    await link.firstTry();
    const { jobs } = loadSettings({ env: {}, cwd: process.cwd() });
    t.ok(agreed > 0, 'both send heartbeats');
    t.ok(agreed * INTERVALS <= jobs.stalledAfterSeconds, `${agreed} s, three times, within the lease`);
  },
);
