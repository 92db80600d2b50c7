import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import { queueNames } from '../../adapters/rabbitmq/topology.js';

/** The broker for tests: AMQP_URL, or the default of a local server. */
export const amqpUrl = process.env.AMQP_URL ?? 'amqp://guest:guest@127.0.0.1:5672';

/** Why tests that need RabbitMQ are skipped, or false. With REQUIRE_SERVICES=1 they are never skipped. */
export const rabbitmqMissing = async (): Promise<string | false> => {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  try {
    const connection = await connect(amqpUrl, { timeout: 3_000 });
    await connection.close();
    return false;
  } catch {
    return 'RabbitMQ is not reachable (AMQP_URL)';
  }
};

/** A unique prefix. */
export const freshPrefix = (): string => `cadre-test-${randomUUID()}`;

export const deleteQueues = async (prefix: string, url = amqpUrl): Promise<void> => {
  const { tasks, ...others } = queueNames(prefix);
  const connection = await connect(url);
  const channel = await connection.createChannel();
  for (const queue of [...Object.values(tasks), ...Object.values(others)]) await channel.deleteQueue(queue);
  await connection.close();
};
