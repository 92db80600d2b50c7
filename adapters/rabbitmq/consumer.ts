import type { ChannelModel } from 'amqplib';

/** A consumer of messages that survives reconnections. */
export interface Consumer {
  /** Starts to consume on a new connection, which redelivers unacknowledged messages. Idempotent per connection. */
  attach(model: ChannelModel): Promise<void>;
  /** Stops deliveries and resolves when all handlers have ended. Unacknowledged messages return to the broker. */
  end(): Promise<void>;
}
