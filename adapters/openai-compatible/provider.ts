import { Agent, request as send } from 'undici';
import { createSemaphore, type Semaphore } from '../../core/fairness/semaphore.js';
import type { Health } from '../../core/ports/health.js';
import type { Log } from '../../core/ports/log.port.js';
import { ModelBusy, type ModelRequest } from '../../core/ports/model.port.js';
import { redactor } from './api-key.js';
import { createBreaker } from './breaker.js';
import {
  badResponse,
  CallFailure,
  refusedParameter,
  statusFailure,
  timedOut,
  unavailable,
} from './call-failure.js';
import { beginningOf } from './collect-bytes.js';
import type { ModelOptions, OpenAiCompatibleOptions, ProviderOptions } from './options.js';
import { readStream, type StreamEvent } from './read-stream.js';
import { maxTokens, requestBody, type SupportedParameters } from './request-body.js';

export interface Provider {
  name: string;
  /**
   * Admits an answer to the calls or their queue. Throws ModelBusy if there are too many answers, or too many with a
   * share.
   */
  admit(share?: number): { release(): void };
  /** Makes one call. Throws CallFailure, or the signal's reason. */
  call(request: ModelRequest, model: ModelOptions, signal: AbortSignal): AsyncGenerator<StreamEvent>;
  health(): Health;
  close(): Promise<void>;
}

interface ProviderParts {
  name: string;
  options: ProviderOptions;
  key: string | null;
  timeouts: OpenAiCompatibleOptions['timeouts'];
  log: Log;
}

const MAX_ADAPTATIONS = 2;

/** Returns the share of a number of places: at least one, unless the share is 0. */
const partOf = (places: number, share: number): number =>
  share === 0 ? 0 : Math.max(1, Math.floor(places * share));

export function createProvider({ name, options, key, timeouts, log }: ProviderParts): Provider {
  // Disable undici's timeouts of five minutes, because the timeouts of this provider apply.
  const agent = new Agent({ connect: { timeout: timeouts.connectMs }, headersTimeout: 0, bodyTimeout: 0 });
  const url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`;
  const calls = createSemaphore(options.maxConcurrent);
  let admitted = 0;
  /** Number of admitted answers with a share. */
  let admittedOfShare = 0;
  /** Limits the calls of answers with a share, by share, so that places remain for other answers. */
  const callsOfShares = new Map<number, Semaphore>();
  const breaker = createBreaker(() => performance.now());
  const adapted = new Map<string, SupportedParameters>();
  let refusal: string | null = null;
  const redact = redactor(key);

  function ofShare(share: number): Semaphore {
    const known = callsOfShares.get(share) ?? createSemaphore(partOf(options.maxConcurrent, share));
    callsOfShares.set(share, known);
    return known;
  }

  const supportedBy = (model: ModelOptions): SupportedParameters =>
    adapted.get(model.model) ?? { tokenLimitField: options.tokenLimitField, temperature: true };

  /** Adapts later requests to a rejected parameter. Returns false if nothing can be adapted. */
  function adapt(model: ModelOptions, status: number, body: string): boolean {
    const parameter = refusedParameter(status, body);
    const supported = supportedBy(model);
    if (parameter === null || (parameter === 'temperature' && !supported.temperature)) return false;
    const other = supported.tokenLimitField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    adapted.set(
      model.model,
      parameter === 'temperature'
        ? { ...supported, temperature: false }
        : { ...supported, tokenLimitField: other },
    );
    log.info(
      { provider: name, model: model.model, parameter },
      'a model rejects a parameter; adapting the requests',
    );
    return true;
  }

  async function* open(
    request: ModelRequest,
    model: ModelOptions,
    outer: AbortSignal,
  ): AsyncGenerator<StreamEvent> {
    const phases = createPhases(timeouts, outer);
    try {
      for (let adaptations = 0; ; adaptations++) {
        const response = await send(url, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            'x-request-id': request.requestId,
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify(requestBody(request, model, supportedBy(model))),
          signal: phases.signal,
        });
        response.body.on('error', () => {});
        try {
          const header = (of: string) => [response.headers[of]].flat()[0] ?? null;
          if (response.statusCode !== 200) {
            const error = await beginningOf(response.body);
            if (adaptations < MAX_ADAPTATIONS && adapt(model, response.statusCode, error)) continue;
            throw statusFailure(response.statusCode, error, header('retry-after'), redact);
          }
          if (!/^text\/event-stream\b/i.test(header('content-type') ?? ''))
            throw badResponse('the response is not an event stream');
          yield* readStream(phases.watched(response.body), maxTokens(request, model));
          return;
        } finally {
          response.body.destroy();
        }
      }
    } catch (error) {
      outer.throwIfAborted();
      if (phases.expired() !== null) throw timedOut(phases.expired() ?? '');
      if (error instanceof CallFailure) throw error;
      throw unavailable(redact(error instanceof Error ? error.message : String(error)), error);
    } finally {
      phases.stop();
    }
  }

  return {
    name,
    admit(share) {
      const places = options.maxConcurrent + options.maxWaiting;
      if (admitted >= places) throw new ModelBusy(`the queue of provider ${name} is full`);
      if (share !== undefined && admittedOfShare >= partOf(places, share))
        throw new ModelBusy(`visitors have used up their share of provider ${name}`);
      const ofShare = share === undefined ? 0 : 1;
      admitted += 1;
      admittedOfShare += ofShare;
      let isAdmitted = true;
      return {
        release() {
          if (!isAdmitted) return;
          isAdmitted = false;
          admitted -= 1;
          admittedOfShare -= ofShare;
        },
      };
    },
    async *call(request, model, signal) {
      const leaveShare = request.share === undefined ? null : await ofShare(request.share).acquire(signal);
      const release = await calls.acquire(signal).catch((error: unknown) => {
        leaveShare?.();
        throw error;
      });
      try {
        if (!breaker.allows())
          throw new CallFailure(
            'MODEL_UNAVAILABLE',
            'it failed too often, so calls are paused for some seconds',
          );
        let decided = false;
        try {
          yield* open(request, model, signal);
          decided = true;
          refusal = null;
          breaker.succeeded();
        } catch (error) {
          if (error instanceof CallFailure) {
            decided = true;
            if (error.counts) breaker.failed();
            else if (error.code === 'MODEL_RATE_LIMITED') breaker.undecided();
            else breaker.succeeded();
            if (error.code === 'MODEL_REFUSED') {
              refusal = `${name} refused a call: ${error.message}`;
              log.error(
                { provider: name, model: model.model, reason: error.message },
                'a provider rejects the calls',
              );
            }
          }
          throw error;
        } finally {
          if (!decided) breaker.undecided();
        }
      } finally {
        release();
        leaveShare?.();
      }
    },
    health() {
      if (refusal !== null) return { ok: false, reason: refusal };
      return breaker.isOpen() ? { ok: false, reason: `${name} does not respond` } : { ok: true };
    },
    close: () => agent.destroy(),
  };
}

/** Creates the timeouts of one call: until the first byte, then between two chunks. */
function createPhases({ firstByteMs, idleMs }: OpenAiCompatibleOptions['timeouts'], outer: AbortSignal) {
  const expiry = new AbortController();
  let reason: string | null = null;
  const begin = (ms: number, what: string): NodeJS.Timeout =>
    setTimeout(() => {
      reason = `${what} for ${ms} ms`;
      expiry.abort(new Error(reason));
    }, ms);
  let timer = begin(firstByteMs, 'no response');
  return {
    signal: AbortSignal.any([expiry.signal, outer]),
    expired: () => reason,
    stop: () => clearTimeout(timer),
    async *watched(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of body) {
        clearTimeout(timer);
        yield piece;
        // The time that the consumer takes does not count.
        clearTimeout(timer);
        timer = begin(idleMs, 'silence');
      }
    },
  };
}
