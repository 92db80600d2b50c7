import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, ConsumeMessage, GetMessage } from 'amqplib';
import { sentAnew } from './message.js';
import type { Publisher } from './publisher.js';

/**
 * The average pause: long enough not to keep the broker busy with what nobody takes, short enough for its
 * owner not to miss a lease.
 */
const FOREIGN_PAUSE_MS = 300;

/**
 * Random: messages in step would be dealt to the same processes each time, and two could miss their owners for ever.
 */
const pauseMs = (): number => FOREIGN_PAUSE_MS * (0.5 + Math.random());

export interface ForeignDelivery {
  channel: Channel;
  /** False once the channel is closed: then the broker has it back. */
  isLive: () => boolean;
  queue: string;
  message: ConsumeMessage | GetMessage;
}

/** Hands on what belongs to others. */
export interface HandOn {
  /**
   * Puts a message to the end of its queue, after a pause (none once the signal aborts), for the next process that
   * listens: its owner, if that is there. It is sent anew, because the broker puts what is given back to the front,
   * where it would hide what is ours. What the broker does not take is held until it does: giving it back counts as a
   * delivery before RabbitMQ 4.3. It goes back when the signal aborts. Rejects when the channel is closed.
   */
  give(delivery: ForeignDelivery): Promise<void>;
  /** Resolves when none is on its way. */
  done(): Promise<unknown>;
}

/**
 * `send` goes over another connection than the one that takes. An alarm of the broker blocks whole
 * connections once they publish, and with them the acknowledgements.
 */
export function createHandOn(options: { send: Publisher['send']; signal: AbortSignal }): HandOn {
  const { send, signal } = options;
  const underWay = new Set<Promise<void>>();
  // Each message in its pause listens, and there may be as many as a consumer takes at once.
  setMaxListeners(0, signal);
  const rest = () => pause(pauseMs(), undefined, { signal }).catch(() => undefined);

  const handOn = async ({ channel, isLive, queue, message }: ForeignDelivery): Promise<void> => {
    await rest();
    while (isLive()) {
      // The confirm is awaited however late it comes: sent again, the message would be there twice, and for
      // ever where its owner is away.
      const waits = signal.aborted ? undefined : signal;
      if (await send(queue, sentAnew(message), waits)) return channel.ack(message);
      if (signal.aborted) return channel.nack(message, false, true);
      await rest();
    }
  };

  return {
    async give(delivery) {
      const giving = handOn(delivery);
      underWay.add(giving);
      await giving.finally(() => underWay.delete(giving));
    },
    done: () => Promise.allSettled(underWay),
  };
}
