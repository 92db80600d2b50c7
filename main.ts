import { cannotStart, tooFewDescriptors } from './processes/descriptor-limit.js';
import { listenForStop } from './processes/stop-requests.js';

/*
 * Everything else is loaded after these two lines: whoever asks us to stop meanwhile must be heard, and loading is what needs most files at
 * once.
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
