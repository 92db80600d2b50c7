import { connect, type GetMessage } from 'amqplib';
import t from 'tap';
import { handOn } from '../../../adapters/rabbitmq/hand-on.js';
import { amqpUrl, freshPrefix, rabbitmqMissing } from '../../support/rabbitmq.js';

const MESSAGES = 40;

t.test(
  'many messages are handed on at once without a warning',
  { skip: await rabbitmqMissing() },
  async (t) => {
    const connection = await connect(amqpUrl);
    t.teardown(() => connection.close());
    const channel = await connection.createConfirmChannel();
    const { queue } = await channel.assertQueue(freshPrefix(), { exclusive: true });
    for (let n = 0; n < MESSAGES; n += 1) channel.sendToQueue(queue, Buffer.from(String(n)));
    await channel.waitForConfirms();
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    t.teardown(() => process.off('warning', note));

    const ending = new AbortController();
    const taken: GetMessage[] = [];
    for (let message = await channel.get(queue); message; message = await channel.get(queue))
      taken.push(message);
    const handed = taken.map((message) => handOn(channel, { queue, message, signal: ending.signal }));
    ending.abort();
    await Promise.all(handed);
    t.equal((await channel.checkQueue(queue)).messageCount, MESSAGES, 'they wait for the next who listens');
    t.same(warnings, []);
  },
);
