import { eventsOf } from '../../../client/answer-stream.js';
import { asFailure } from './failure.js';
import { pause, send } from './request.js';

/** Longest pause before a stream is opened again, in milliseconds. */
const LONGEST_PAUSE_MS = 15_000;

/**
 * Yields the events of a stream, and null whenever it has been opened. A broken stream is resumed after its last event,
 * until the signal is aborted or the service refuses.
 */
export async function* follow<T>(
  path: string,
  signal: AbortSignal,
  after: string | null = null,
): AsyncGenerator<T | null> {
  let last = after;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const headers: Record<string, string> = last === null ? {} : { 'last-event-id': last };
      const response = await send(path, { headers, signal });
      yield null;
      failures = 0;
      for await (const { id, data } of eventsOf(response)) {
        last = id ?? last;
        yield JSON.parse(data) as T;
      }
    } catch (thrown) {
      if (!asFailure(thrown).mayRetry) return;
    }
    await pause(Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** failures), signal).catch(() => {});
  }
}
