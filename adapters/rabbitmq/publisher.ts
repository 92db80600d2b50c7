import type { ChannelModel, ConfirmChannel } from 'amqplib';
import type { Log } from '../../core/ports/log.port.js';
import type { Outgoing } from './message.js';

/** Sends messages with publisher confirms. */
export interface Publisher {
  /** Opens a channel on a new connection. */
  attach(model: ChannelModel): Promise<void>;
  send(queue: string, message: Outgoing): Promise<boolean>;
}

const CONFIRM_TIMEOUT_MS = 10_000;

export const createPublisher = (options: {
  log: Log;
  /** Called if the channel or a queue is lost, which only a new connection repairs. */
  onBroken: (why: string) => void;
  confirmTimeoutMs?: number;
}): Publisher => {
  const { log, onBroken, confirmTimeoutMs = CONFIRM_TIMEOUT_MS } = options;
  let channel: ConfirmChannel | null = null;
  // Ids of returned messages: the broker returns an unroutable message but also confirms it.
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
        log.warn(
          { queue: fields.routingKey, id: properties.messageId },
          'a message was returned because its queue does not exist',
        );
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
          // `sendToQueue` throws if the channel is closed.
          settle(error);
        }
      }),
  };
};
