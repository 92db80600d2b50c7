import type { ChannelModel } from 'amqplib';

/** Something that takes messages, and lives longer than the connections that it takes them from. */
export interface Consumer {
  /**
   * Listens on a new connection; what the old one had delivered comes again. A second call for one
   * connection does no harm.
   */
  attach(model: ChannelModel): Promise<void>;
  /** No new deliveries. Resolves when no handler runs any more; what was not done goes back to the broker. */
  end(): Promise<void>;
}
