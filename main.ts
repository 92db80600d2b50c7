import { cannotStart, tooFewDescriptors } from './processes/descriptor-limit.js';
import { listenForStop } from './processes/stop-requests.js';

/*
 * The rest is loaded after these two lines, because a stop signal may arrive while loading, and loading needs the
 * most open files at once.
 */
const requests = listenForStop();
const descriptors = tooFewDescriptors();
if (cannotStart()) {
  process.stderr.write(`${descriptors}\n`);
  process.exit(1);
}
try {
  const { runProcess } = await import('./processes/run-process.js');
  await runProcess(requests, descriptors);
} catch (error) {
  if (descriptors === null || (error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  process.stderr.write(`${descriptors}\n`);
  process.exit(1);
}
