import type { Worker } from 'node:worker_threads';
import type { Log } from '../../core/ports/log.port.js';
import { RetrievalUnavailable } from '../../core/ports/retrieval.port.js';
import type { ThreadReply, ThreadRequest, ThreadResults } from './protocol.js';

export interface ThreadHost {
  /**
   * Sends a request to the thread. Rejects with RetrievalUnavailable after a timeout, if the queue is full, or if the
   * thread fails.
   */
  request<R extends Unnumbered>(request: R): Promise<ThreadResults[R['kind']]>;
  close(): Promise<void>;
}

/** A request without an id. */
export type Unnumbered = ThreadRequest extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never;

interface ThreadHostOptions {
  launch(): Worker;
  log: Log;
  /** Timeout of a request, and maximum time without a reply from the thread. */
  timeoutMs?: number;
  /** Maximum number of queued requests. */
  capacity?: number;
}

interface Waiting {
  request: ThreadRequest;
  resolve: (result: ThreadResults[keyof ThreadResults]) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  /** Number of threads that died while this request was in progress. */
  deaths: number;
}

/** Minimum time between two starts of the thread. */
const RESTART_MS = 1000;

/**
 * Runs one thread on demand. If it dies or hangs, a new thread replaces it and pending requests are retried once. A
 * request is rejected if its second thread also dies. The process survives.
 */
export function createThreadHost({
  launch,
  log,
  timeoutMs = 10_000,
  capacity = 1000,
}: ThreadHostOptions): ThreadHost {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let startedAt = 0;
  let lastReplyAt = 0;
  let nextId = 1;
  let closed = false;
  let restart: NodeJS.Timeout | undefined;

  function start(): Worker {
    startedAt = Date.now();
    lastReplyAt = startedAt;
    const started = launch();
    started.unref();
    started.on('message', (reply: ThreadReply) => {
      lastReplyAt = Date.now();
      receive(reply);
    });
    started.on('error', (err: unknown) => log.error({ err }, 'the retrieval thread failed'));
    started.once('exit', (code) => {
      if (thread !== started) return;
      thread = null;
      if (!closed) lost(code);
    });
    return started;
  }

  function receive(reply: ThreadReply): void {
    if ('alive' in reply) return;
    if ('warning' in reply) {
      log.warn(reply.fields, reply.warning);
      return;
    }
    const found = waiting.get(reply.id);
    if (found === undefined) return;
    settle(found);
    if ('error' in reply) found.reject(new RetrievalUnavailable(reply.error));
    else found.resolve(reply.result);
  }

  function settle({ request, timer }: Waiting): void {
    clearTimeout(timer);
    waiting.delete(request.id);
  }

  function rejectAll(reason: string): void {
    for (const one of [...waiting.values()]) {
      settle(one);
      one.reject(new RetrievalUnavailable(reason));
    }
  }

  /** Retries the requests of a dead thread in the next one. */
  function lost(code: number): void {
    log.error({ code, waiting: waiting.size }, 'the retrieval thread died; starting another');
    for (const one of [...waiting.values()]) {
      one.deaths += 1;
      if (one.deaths < 2) continue;
      settle(one);
      one.reject(new RetrievalUnavailable('the retrieval thread died twice during a search'));
    }
    if (waiting.size > 0) startNext();
  }

  /** Starts a thread for the queued requests, unless a start is already scheduled. */
  function startNext(): void {
    restart ??= setTimeout(
      () => {
        restart = undefined;
        try {
          thread = start();
          for (const { request } of waiting.values()) thread.postMessage(request);
        } catch (err) {
          log.error({ err }, 'the retrieval thread cannot be started');
          rejectAll('the retrieval thread cannot be started');
        }
      },
      Math.max(0, startedAt + RESTART_MS - Date.now()),
    );
  }

  /** Rejects a request after its timeout. Ends the thread if it is stuck: it has not even sent heartbeats. */
  function late(one: Waiting): void {
    settle(one);
    one.reject(new RetrievalUnavailable(`no result within ${timeoutMs} ms`));
    if (thread === null || Date.now() - lastReplyAt < timeoutMs) return;
    log.error({ silentMs: Date.now() - lastReplyAt }, 'the retrieval thread is stuck; ending it');
    void thread.terminate();
  }

  return {
    request(unnumbered) {
      if (closed) return Promise.reject(new RetrievalUnavailable('retrieval is stopped'));
      if (waiting.size >= capacity)
        return Promise.reject(
          new RetrievalUnavailable('too many requests are queued for the retrieval thread'),
        );
      const result = new Promise<ThreadResults[keyof ThreadResults]>((resolve, reject) => {
        const request = { ...unnumbered, id: nextId++ };
        const one: Waiting = {
          request,
          resolve,
          reject,
          timer: setTimeout(() => late(one), timeoutMs),
          deaths: 0,
        };
        waiting.set(request.id, one);
        if (thread === null) startNext();
        else thread.postMessage(request);
      });
      // The type of the result depends on the type of the request.
      return result as Promise<never>;
    },
    async close() {
      closed = true;
      clearTimeout(restart);
      rejectAll('retrieval is stopped');
      await thread?.terminate();
    },
  };
}
