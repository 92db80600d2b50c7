import { fork } from 'node:child_process';
import { type LocalQueueOptions, localQueue } from '../../../adapters/local-queue/index.js';
import { describeQueueContract } from '../../contracts/queue.contract.js';
import t from '../../support/t.js';
import { workerScript } from '../../support/worker-script.js';

const options: LocalQueueOptions = { capacity: 100 };

describeQueueContract(
  {
    test: (name, body) =>
      t.test(name, async (t) => {
        await body();
        t.pass('kept');
      }),
  },
  async () => ({
    plugin: localQueue,
    options,
    launchWorker: (spec) =>
      fork(workerScript, {
        serialization: 'advanced',
        env: { ...process.env, WORKER_CHILD: JSON.stringify({ ...spec, plugin: 'local', options }) },
      }),
    close: async () => undefined,
  }),
  // They are children of their API.
  { remoteWorkers: false },
);
