import { connect } from 'amqplib';

export async function open(name) {
  const connection = await connect(process.env.AMQP_URL);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  const publish = (id) =>
    new Promise((resolve, reject) => {
      channel.sendToQueue(name, Buffer.from(JSON.stringify({ id })), { persistent: true }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  return {
    add: publish,
    addMany: async (ids) => void (await Promise.all(ids.map(publish))),
    async close() {
      await channel.deleteQueue(name);
      await connection.close();
    },
  };
}

export async function work(name, { slots, onRun, onDone }) {
  const connection = await connect(process.env.AMQP_URL);
  const channel = await connection.createChannel();
  await channel.prefetch(slots);
  await channel.consume(name, (message) => {
    const { id } = JSON.parse(message.content);
    onRun(id);
    channel.ack(message);
    onDone(id);
  });
}
