import type { Context } from 'koa';

/** Calls `end` when the stream must end early. Returns a function that stops watching. */
export type Watch = (end: () => void) => () => void;

/** For requests that never have to end early. */
const unwatched: Watch = () => () => {};

export function untilClosed({ res }: Pick<Context, 'res'>, release: () => void): void {
  if (res.closed) release();
  else res.once('close', release);
}

/** Returns a signal that is aborted when the client disconnects, or the request must end early. */
export function whileThere(ctx: Pick<Context, 'res'>, watch = unwatched): AbortSignal {
  const gone = new AbortController();
  const unwatch = watch(() => gone.abort());
  untilClosed(ctx, () => {
    unwatch();
    gone.abort();
  });
  return gone.signal;
}
