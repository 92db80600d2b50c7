import type { ChannelModel } from 'amqplib';

/** Consumes messages, across reconnections. */
export interface Consumer {
  /** Consumes on a new connection; unacknowledged messages are redelivered. Idempotent per connection. */
  attach(model: ChannelModel): Promise<void>;
  /** Stops deliveries and resolves when all handlers have ended. Unacknowledged messages return to the broker. */
  end(): Promise<void>;
}
