import { connect } from 'amqplib';
import { createPool } from 'mysql2/promise';

/*
 * The bare road of the parts that Cadre uses: a row for each task, committed before its message goes out with a confirm; a worker that answers by
 * an event; rows ended in batches. No turns, no quotas, no retries, no sweeps.
 */

const quorum = { durable: true, arguments: { 'x-queue-type': 'quorum' } };
const eventsOf = (name) => `${name}-events`;
const BATCH = 200;

export async function open(name, { onDone }) {
  const table = name.replaceAll('-', '_');
  const pool = createPool({ uri: process.env.DATABASE_URL, connectionLimit: 10 });
  await pool.query(
    `CREATE TABLE ${table} (id BIGINT PRIMARY KEY, payload VARCHAR(255) NOT NULL, status VARCHAR(16) NOT NULL)`,
  );
  const connection = await connect(process.env.AMQP_URL);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(name, quorum);
  await channel.assertQueue(eventsOf(name), quorum);
  const publish = (id) =>
    new Promise((resolve, reject) => {
      channel.sendToQueue(name, Buffer.from(JSON.stringify({ id })), { persistent: true }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  const inbox = await connection.createChannel();
  await inbox.prefetch(BATCH);
  let arrived = [];
  let ending = false;
  const endThem = async () => {
    if (ending) return;
    ending = true;
    while (arrived.length > 0) {
      const batch = arrived;
      arrived = [];
      const ids = batch.map(({ content }) => JSON.parse(content).id);
      await pool.query(`UPDATE ${table} SET status = 'completed' WHERE id IN (?)`, [ids]);
      for (const message of batch) inbox.ack(message);
      ids.forEach(onDone);
    }
    ending = false;
  };
  await inbox.consume(eventsOf(name), (message) => {
    arrived.push(message);
    void endThem();
  });
  const insert = (ids) =>
    pool.query(`INSERT INTO ${table} (id, payload, status) VALUES ?`, [
      ids.map((id) => [id, '{}', 'queued']),
    ]);
  return {
    async add(id) {
      await insert([id]);
      await publish(id);
    },
    async addMany(ids) {
      await insert(ids);
      await Promise.all(ids.map(publish));
    },
    async close() {
      await pool.query(`DROP TABLE ${table}`);
      await pool.end();
      await channel.deleteQueue(name);
      await channel.deleteQueue(eventsOf(name));
      await connection.close();
    },
  };
}

export async function work(name, { slots, onRun }) {
  const connection = await connect(process.env.AMQP_URL);
  const [channel, events] = [await connection.createChannel(), await connection.createConfirmChannel()];
  await channel.prefetch(slots);
  await channel.consume(name, (message) => {
    const { id } = JSON.parse(message.content);
    onRun(id);
    events.sendToQueue(eventsOf(name), message.content, { persistent: true }, () => channel.ack(message));
  });
}
