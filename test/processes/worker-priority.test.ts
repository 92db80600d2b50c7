import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { launchWorker } from '../../processes/worker-child.js';
import t from '../support/t.js';

t.test('in a process with both roles, requests take precedence over pages and files', async (t) => {
  const child = launchWorker();
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  t.equal(getPriority(child.pid), Math.max(getPriority(), PRIORITY_BELOW_NORMAL));
});
