import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage, GetMessage } from 'amqplib';
import { sentAnew } from './message.js';

/** Long enough for the broker not to be busy with what nobody takes, short enough for its owner not to miss a lease. On average. */
const FOREIGN_PAUSE_MS = 300;

/** Never twice the same: messages in step would be dealt to the same processes each time, and two could miss their owners for ever. */
const pauseMs = (): number => FOREIGN_PAUSE_MS * (0.5 + Math.random());

/**
 * Puts what belongs to others to the end of its queue, after a pause (none once the signal aborts), for the next process that listens: its
 * owner if that is there. Sent anew, since the broker puts what is given back to the front, where it would hide what is ours. Rejects when the
 * channel is closed: then the broker has it back.
 */
export async function handOn(
  channel: ConfirmChannel,
  { queue, message, signal }: { queue: string; message: ConsumeMessage | GetMessage; signal: AbortSignal },
): Promise<void> {
  // Each message in its pause listens, and there may be as many as a consumer takes at once.
  setMaxListeners(0, signal);
  await pause(pauseMs(), undefined, { signal }).catch(() => undefined);
  const isSent = await new Promise<boolean>((resolve) => {
    channel.sendToQueue(queue, message.content, sentAnew(message), (error) => resolve(!error));
  });
  if (isSent) channel.ack(message);
  // Not taken: at the front again is better than held here for ever.
  else channel.nack(message, false, true);
}
