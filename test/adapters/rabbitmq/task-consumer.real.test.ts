import { fork } from 'node:child_process';
import { connect } from 'amqplib';
import { queueNames } from '../../../adapters/rabbitmq/topology.js';
import type { TaskMessage } from '../../../core/tasks/wire.js';
import { eventually, fileTask, pageTask } from '../../contracts/queue.contract.js';
import { amqpUrl, rabbitmqMissing } from '../../support/rabbitmq.js';
import t from '../../support/t.js';
import { workerScript } from '../../support/worker-script.js';
import { aliveOf, listenTo, makeInstallation } from './fixtures/installation.js';

const skip = await rabbitmqMissing();

t.test(
  'a task that kills its worker becomes a dead letter, and every other task completes',
  { skip },
  async (t) => {
    const installation = makeInstallation(t);
    const { port } = await installation.start('api');
    const { events, arrives } = await listenTo(port);
    const options = { url: amqpUrl, prefix: installation.prefix };
    const env = {
      ...process.env,
      WORKER_CHILD: JSON.stringify({ slots: 4, maxDeliveries: 3, plugin: 'rabbitmq', options }),
    };
    let over = false;
    let worker = fork(workerScript, { env });
    const keep = (): void => {
      worker.once('exit', () => {
        if (over) return;
        worker = fork(workerScript, { env });
        keep();
      });
    };
    keep();
    t.teardown(() => {
      over = true;
      worker.kill('SIGKILL');
    });
    const poison = pageTask('die');
    const bystanders = [pageTask('wait 300'), fileTask('wait 300'), fileTask('wait 300')];
    await port.publish([poison, ...bystanders]);
    t.match(await arrives(poison, 'dead'), { reason: /too often/, worker: 'rabbitmq' });
    // A delivery counts for all tasks held by a dead worker, so others may run out of deliveries too. None is lost.
    for (const task of bystanders) {
      await eventually('the end of a bystander', () =>
        events.some(
          ({ taskId, kind }) => taskId === task.taskId && (kind === 'succeeded' || kind === 'dead'),
        ),
      );
    }
  },
);

t.test(
  'a worker runs at most its slots of each type and leaves other tasks to other workers',
  { skip },
  async (t) => {
    const installation = makeInstallation(t);
    const api = (await installation.start('api')).port;
    const worker = await installation.start('worker');
    const begun: TaskMessage[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await worker.port.onTask(2, async (task) => {
      begun.push(task);
      await released;
    });
    await eventually('it listens', async () => (await api.depth()).consumers === 1);
    await api.publish([1, 2, 3, 4].flatMap(() => [pageTask('x'), fileTask('x')]));
    await eventually('two of each run', () => begun.length === 4);
    t.equal((await api.depth()).waiting, 4);
    const second: TaskMessage[] = [];
    const other = await installation.start('worker');
    await other.port.onTask(2, async (task) => void second.push(task));
    await eventually('the other worker does the rest', () => second.length === 4);
    release();
    t.equal(begun.length, 4);
  },
);

t.test('a task with a damaged message that names its attempt becomes a dead letter', { skip }, async (t) => {
  const installation = makeInstallation(t);
  const { port } = await installation.start('api');
  const { arrives } = await listenTo(port);
  const worker = (await installation.start('worker')).port;
  await worker.onTask(1, async (task) => worker.emit(aliveOf(task)));
  const damaged = { ...pageTask('x'), v: 99 };
  const connection = await connect(amqpUrl);
  t.teardown(() => connection.close());
  const channel = await connection.createConfirmChannel();
  channel.sendToQueue(queueNames(installation.prefix).tasks.crawl_page, Buffer.from(JSON.stringify(damaged)));
  await channel.waitForConfirms();
  t.match(await arrives(damaged, 'dead'), { reason: /could not read/ });
});

t.test(
  'stopping waits for running tasks; after the deadline they go to another worker',
  { skip },
  async (t) => {
    const installation = makeInstallation(t);
    const api = (await installation.start('api')).port;
    const first = await installation.start('worker');
    let begun = 0;
    await first.port.onTask(1, () => {
      begun += 1;
      return new Promise(() => undefined);
    });
    const task = pageTask('x');
    await api.publish([task]);
    await eventually('it runs', () => begun === 1);
    const second = (await installation.start('worker')).port;
    const taken: string[] = [];
    await second.onTask(1, async ({ taskId }) => void taken.push(taskId));
    await first.stop(50);
    await eventually('it runs elsewhere', () => taken.includes(task.taskId));
    t.equal(begun, 1);
  },
);
