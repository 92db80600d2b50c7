import type { ChannelModel, ConfirmChannel } from 'amqplib';
import type { Log } from '../../core/ports/log.port.js';
import type { Outgoing } from './message.js';

/** Sends with publisher confirms: `true` means that the broker has stored the message in a queue. */
export interface Publisher {
  /** Opens the channel on a new connection. */
  attach(model: ChannelModel): Promise<void>;
  send(queue: string, message: Outgoing): Promise<boolean>;
}

const CONFIRM_TIMEOUT_MS = 10_000;

export const createPublisher = (options: {
  log: Log;
  /** The channel or a queue is lost: only a new connection helps. */
  onBroken: (why: string) => void;
  confirmTimeoutMs?: number;
}): Publisher => {
  const { log, onBroken, confirmTimeoutMs = CONFIRM_TIMEOUT_MS } = options;
  let channel: ConfirmChannel | null = null;
  // An unroutable message is returned and still confirmed.
  const returned = new Set<string>();

  return {
    attach: async (model) => {
      channel = null;
      returned.clear();
      const fresh = await model.createConfirmChannel();
      fresh.on('error', (error) => log.warn({ err: error }, 'the channel for publishing failed'));
      fresh.on('close', () => {
        if (channel !== fresh) return;
        channel = null;
        onBroken('the publishing channel was closed');
      });
      fresh.on('return', ({ fields, properties }) => {
        returned.add(String(properties.messageId));
        log.warn({ queue: fields.routingKey, id: properties.messageId }, 'no queue took the message');
        onBroken(`${fields.routingKey} is missing`);
      });
      channel = fresh;
    },

    send: (queue, { body, properties }) =>
      new Promise((resolve) => {
        if (channel === null) return resolve(false);
        const giveUp = () => {
          log.warn({ queue, id: properties.messageId }, 'RabbitMQ did not confirm a message in time');
          resolve(false);
        };
        const timer = setTimeout(giveUp, confirmTimeoutMs);
        const settle = (error: unknown): void => {
          clearTimeout(timer);
          const unroutable = returned.delete(properties.messageId);
          resolve(error === null && !unroutable);
        };
        try {
          channel.sendToQueue(queue, body, properties, settle);
        } catch (error) {
          // A closed channel throws.
          settle(error);
        }
      }),
  };
};
