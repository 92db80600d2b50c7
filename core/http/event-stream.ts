import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** A reader that takes nothing for so long loses its connection. */
const STUCK_MS = 30_000;
/** How much waits for one reader; more is made only when there is room. */
export const STREAM_BYTES = 16_384;

/** Makes the pieces of an event stream; the signal says that nobody reads it any more. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<string | Buffer>;

/** Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function sendEvents(ctx: Context, events: EventSource): void {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  ctx.set({
    'content-type': 'text/event-stream; charset=utf-8',
    // Proxies are not to wait for more.
    'x-accel-buffering': 'no',
    'x-vercel-ai-ui-message-stream': 'v1',
  });
  const cut = () => ctx.res.destroy();
  ctx.body = Readable.from(unlessStuck(events(gone.signal), cut), {
    objectMode: false,
    highWaterMark: STREAM_BYTES,
  });
  // A client is to know that it is heard, even where there is nothing to say for a while.
  ctx.flushHeaders();
}

async function* unlessStuck(
  events: AsyncIterable<string | Buffer>,
  cut: () => void,
): AsyncGenerator<string | Buffer> {
  for await (const event of events) {
    const stuck = setTimeout(cut, STUCK_MS);
    try {
      yield event;
    } finally {
      clearTimeout(stuck);
    }
  }
}
