import { freshDatabase, servicesMissing } from '../../test/real/services.js';
import { amqpUrl, deleteQueues, freshPrefix } from '../../test/support/rabbitmq.js';
import t from '../../test/support/t.js';
import { tempFolder } from '../../test/support/temp-folder.js';
import { startInstallation } from './installation.js';
import { besiege } from './siege.js';
import { createTally } from './tally.js';

// Four processes are killed and restarted repeatedly, which is slow on a busy machine.
t.setTimeout(290_000);

const SEED = 7;
const SPAN_MS = 30_000;
const KILLS = 3;

t.test('a short siege breaks no promise', { skip: await servicesMissing() }, async (t) => {
  const folder = tempFolder(t);
  const prefix = freshPrefix();
  t.teardown(() => deleteQueues(prefix));
  const tally = createTally();
  const { url: databaseUrl } = await freshDatabase(t);
  const installation = await startInstallation({ databaseUrl, amqpUrl, prefix, folder, tally });
  t.teardown(() => installation.close());
  const { broken, wrong } = await besiege(
    installation,
    {
      seed: SEED,
      spanMs: SPAN_MS,
      kills: KILLS,
      longestHangMs: 4000,
      // The engines are shared.
      engines: {},
      outages: 0,
      visitors: 3,
      socialVisitors: 2,
      pauseMs: 100,
      pages: 100,
      tracing: false,
      settleMs: 60_000,
      progressMs: 15_000,
    },
    { folder, tally, log: (line) => t.comment(line) },
  );
  for (const [promise, times] of Object.entries(broken)) t.equal(times, 0, `${promise}: 0`);
  t.same(wrong, []);
  for (const fault of ['api killed', 'worker killed', 'worker hung'])
    t.equal(tally.of(`faults: ${fault}`), KILLS, fault);
  for (const engine of ['database', 'queue', 'storage'])
    t.equal(tally.of(`faults: ${engine} connections cut`), KILLS, `${engine} connections cut`);
  t.ok(tally.of('noise: events delivered twice') > 0, 'events came twice');
  t.ok(tally.of('noise: garbage messages') > 0, 'garbage lay in the queues');
  t.ok(tally.of('answers: 2xx') > 0, 'clients were served');
  t.ok(tally.of('social: deliveries sent') > 0, 'people on the social platform were answered');
});
