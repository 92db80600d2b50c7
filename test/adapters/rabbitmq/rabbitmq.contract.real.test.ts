import { fork } from 'node:child_process';
import { connect } from 'amqplib';
import { rabbitmq } from '../../../adapters/rabbitmq/index.js';
import { queueNames } from '../../../adapters/rabbitmq/topology.js';
import { describeQueueContract } from '../../contracts/queue.contract.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../../support/rabbitmq.js';
import t from '../../support/t.js';
import { workerScript } from '../../support/worker-script.js';

const skip = await rabbitmqMissing();

const sendGarbage = async (prefix: string): Promise<void> => {
  const connection = await connect(amqpUrl);
  const channel = await connection.createConfirmChannel();
  const { tasks, ...others } = queueNames(prefix);
  for (const queue of [...Object.values(tasks), ...Object.values(others)]) {
    for (const body of ['', 'not json', '[]', '{"v":1}', '{"v":99,"type":"crawl_page"}', '\u0000\ufffd']) {
      channel.sendToQueue(queue, Buffer.from(body));
    }
  }
  await channel.waitForConfirms();
  await connection.close();
};

describeQueueContract(
  {
    test: (name, body) =>
      t.test(name, { skip }, async (t) => {
        await body();
        t.pass('kept');
      }),
  },
  async () => {
    const prefix = freshPrefix();
    const options = { url: amqpUrl, prefix };
    return {
      plugin: rabbitmq,
      options,
      launchWorker: (spec) =>
        fork(workerScript, {
          env: { ...process.env, WORKER_CHILD: JSON.stringify({ ...spec, plugin: 'rabbitmq', options }) },
        }),
      sendGarbage: () => sendGarbage(prefix),
      close: () => deleteQueues(prefix),
    };
  },
);
