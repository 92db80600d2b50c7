import { setTimeout as pause } from 'node:timers/promises';
import { ModelBusy, type ModelEvent, ModelFailure, type ModelRequest } from '../../core/ports/model.port.js';
import { backoffMs } from '../../core/tasks/backoff.js';
import { badResponse, CallFailure, toModelFailure } from './call-failure.js';
import type { ModelOptions } from './options.js';
import type { Provider } from './provider.js';

/** A configured model and its provider. */
export interface Target {
  name: string;
  model: ModelOptions;
  provider: Provider;
}

/** Maximum number of calls to the requested model. A fallback gets one call. */
const TRIES = 3;
const BACKOFF = { baseMs: 500, maxMs: 4000 };
/** Maximum `Retry-After` that is waited for. A longer one counts as a failure. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Calls the first target up to three times, then each fallback once, in order, until one produces output. After the
 * first output, nothing is retried. Throws ModelFailure; an error that a retry cannot solve is thrown immediately.
 */
export async function* answerFrom(
  targets: readonly Target[],
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let last: ModelFailure | null = null;
  for (const [n, target] of targets.entries()) {
    if (last !== null) yield { type: 'setback', provider: last.provider ?? '', code: last.code };
    // The first model has already admitted the answer.
    const admission = n === 0 ? { release() {} } : admittedBy(target, request.share);
    if (admission === null) continue;
    try {
      const failure = yield* tryTarget(target, n === 0 ? TRIES : 1, request, signal);
      if (failure === null) return;
      last = failure;
    } finally {
      admission.release();
    }
  }
  throw last ?? new ModelFailure('MODEL_UNAVAILABLE', 'all configured providers are busy');
}

function admittedBy({ provider }: Target, share: number | undefined): { release(): void } | null {
  try {
    return provider.admit(share);
  } catch (error) {
    if (error instanceof ModelBusy) return null;
    throw error;
  }
}

/** Calls one target. Returns null on success, or the failure if another target may succeed. Throws other failures. */
async function* tryTarget(
  { name, model, provider }: Target,
  tries: number,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, ModelFailure | null> {
  for (let attempt = 1; ; attempt++) {
    let hasText = false;
    try {
      for await (const event of provider.call(request, model, signal)) {
        if (event.type === 'text') hasText = true;
        yield event.type === 'finish' ? { ...event, model: name } : event;
      }
      return null;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const failure =
        hasText && error.code === 'MODEL_UNAVAILABLE' ? badResponse(error.message, error) : error;
      const known = toModelFailure(failure, provider.name, name);
      if (hasText) throw known;
      const wait = backoffMs(attempt, BACKOFF, Math.random(), error.retryAfterMs);
      const mayFallBack = error.isRetryable || error.code === 'MODEL_UNAVAILABLE';
      if (!mayFallBack) throw known;
      if (!error.isRetryable || attempt === tries || error.retryAfterMs > LONGEST_WAIT_MS) return known;
      yield { type: 'setback', provider: provider.name, code: error.code };
      await pause(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
