import { localQueue } from '../../adapters/local-queue/index.js';
import { rabbitmq } from '../../adapters/rabbitmq/index.js';
import type { QueuePlugin } from '../../core/ports/plugin.port.js';
import { serveInstructions, type WorkerSpec } from '../contracts/queue.contract.js';

/*
 * A worker process for queue tests: starts the plugin in WORKER_CHILD in the role `worker` and follows the
 * instructions in its tasks. SIGTERM ends it, unless the queue controls that; it never outlives its parent.
 */
interface ChildSpec extends WorkerSpec {
  plugin: string;
  options: unknown;
}

const spec: ChildSpec = JSON.parse(process.env.WORKER_CHILD ?? '{}');
const plugins: Record<string, QueuePlugin<never>> = { local: localQueue, rabbitmq };
const plugin = plugins[spec.plugin];
if (plugin === undefined) throw new Error(`WORKER_CHILD names no known plugin: ${spec.plugin}`);

if (plugin.name !== 'local') process.once('disconnect', () => process.exit(0));
const started = await serveInstructions(plugin, spec.options as never, spec);
if (plugin.name !== 'local') {
  process.once('SIGTERM', () => {
    void started.stop({ deadlineMs: 5_000 }).finally(() => process.exit(0));
  });
}
