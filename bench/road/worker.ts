import { rabbitmq } from '../../adapters/rabbitmq/index.js';
import { silentLog } from '../../core/ports/log.port.js';
import { emitAsWorker } from './idle-work.js';

/* A worker that finds every page unchanged, at once. */

const [url = '', prefix = ''] = process.argv.slice(2);
const { port, stop } = await rabbitmq.start({
  options: { url, prefix },
  log: silentLog,
  role: 'worker',
  dataDir: '.',
  maxUploadBytes: 1,
  maxDeliveries: 3,
  secret: new Uint8Array(),
  processName: 'bench-worker',
  now: () => Date.now(),
});
await port.onTask(64, (message) => emitAsWorker(port.emit, message));
process.send?.('ready');
process.once('message', async () => {
  await stop({ deadlineMs: 1000 });
  process.disconnect();
});
