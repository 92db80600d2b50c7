import { serveInstructions } from 'cadre/contracts/queue';
import plugin from '../index.js';

/*
 * Worker process for tests: WORKER contains `{options, slots, maxDeliveries}`. It ends on SIGTERM and with its
 * parent.
 */
const { options, ...spec } = JSON.parse(process.env.WORKER ?? '{}');
const started = await serveInstructions(plugin, options, spec);
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => {
  void started.stop({ deadlineMs: 5000 }).finally(() => process.exit(0));
});
