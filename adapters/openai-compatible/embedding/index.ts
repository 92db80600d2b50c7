import { Agent, request as send } from 'undici';
import { createSemaphore } from '../../../core/fairness/semaphore.js';
import { type Embedding, EmbeddingFailure } from '../../../core/ports/embedding.port.js';
import type { EmbeddingPlugin } from '../../../core/ports/plugin.port.js';
import { apiKeyOf, forgetKeys, hasTwoKeys, redactor } from '../api-key.js';
import { createBreaker } from '../breaker.js';
import { badResponse, CallFailure, statusFailure, timedOut, unavailable } from '../call-failure.js';
import { beginningOf } from '../collect-bytes.js';
import { type EmbeddingOptions, embeddingSchema, spaceOf } from './options.js';
import { readVectors } from './read-vectors.js';

/** Converts a failed call to an error of the port. All retryable failures become EMBEDDING_UNAVAILABLE. */
function toEmbeddingFailure(failure: CallFailure): EmbeddingFailure {
  const { message, retryAfterMs, isRetryable } = failure;
  if (isRetryable)
    return new EmbeddingFailure('EMBEDDING_UNAVAILABLE', message, { retryAfterMs, cause: failure });
  const code = failure.code === 'MODEL_BAD_ANSWER' ? 'EMBEDDING_BAD_ANSWER' : 'EMBEDDING_REFUSED';
  return new EmbeddingFailure(code, message, { cause: failure });
}

/** Uses any provider with an OpenAI-compatible `/embeddings`: local servers, gateways, hosted providers. */
export const openAiEmbedding: EmbeddingPlugin<EmbeddingOptions> = {
  name: 'openai-compatible',
  kind: 'embedding',
  contract: 1,
  optionsSchema: embeddingSchema,
  async start({ options, role, log }) {
    if (hasTwoKeys(options)) throw new Error('Set at most one of apiKey, apiKeyFile, apiKeyEnv');
    const { baseUrl, model, dimensions, documentPrefix, questionPrefix, maxCharacters, timeouts } = options;
    const key = apiKeyOf('embedding', options);
    // Workers parse untrusted content, so they remove the key from their environment. The API keeps it, because its
    // worker inherits the environment.
    if (role === 'worker') forgetKeys({ embedding: options });
    const redact = redactor(key);
    const agent = new Agent({ connect: { timeout: timeouts.connectMs }, headersTimeout: 0, bodyTimeout: 0 });
    const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
    const calls = createSemaphore(options.maxConcurrent);
    const breaker = createBreaker(() => performance.now());
    const stopping = new AbortController();
    let refusal: string | null = null;
    let stopped = false;

    async function call(input: string[], outer: AbortSignal): Promise<Float32Array[]> {
      const expiry = AbortSignal.timeout(timeouts.requestMs);
      try {
        const response = await send(url, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({
            model,
            input,
            encoding_format: 'float',
            ...(dimensions === undefined ? {} : { dimensions }),
          }),
          signal: AbortSignal.any([outer, expiry]),
        });
        response.body.on('error', () => {});
        try {
          if (response.statusCode === 200) return await readVectors(response.body, input.length, dimensions);
          const retryAfter = [response.headers['retry-after']].flat()[0] ?? null;
          throw statusFailure(response.statusCode, await beginningOf(response.body), retryAfter, redact);
        } finally {
          response.body.destroy();
        }
      } catch (error) {
        outer.throwIfAborted();
        if (error instanceof CallFailure) throw error;
        if (expiry.aborted) throw timedOut(`no response within ${timeouts.requestMs} ms`);
        throw unavailable(redact(error instanceof Error ? error.message : String(error)), error);
      }
    }

    /** Makes one call and records the provider's health. */
    async function guarded(input: string[], signal: AbortSignal): Promise<Float32Array[]> {
      if (!breaker.allows()) throw unavailable('it failed too often, so calls are paused for some seconds');
      try {
        const vectors = await call(input, signal);
        refusal = null;
        breaker.succeeded();
        return vectors;
      } catch (error) {
        if (!(error instanceof CallFailure) || error.code === 'MODEL_RATE_LIMITED') breaker.undecided();
        else if (error.counts) breaker.failed();
        else breaker.succeeded();
        if (error instanceof CallFailure && !error.isRetryable) {
          refusal = error.message;
          log.error({ model, reason: error.message }, 'the embedding provider rejects the calls');
        }
        throw error;
      }
    }

    const port: Embedding = {
      model: {
        space: spaceOf(options),
        batch: options.batchSize,
        questionMs: timeouts.questionMs,
        leastSimilarity: options.leastSimilarity,
        answeringSimilarity: options.answeringSimilarity,
        ...(options.languages === undefined ? {} : { languages: options.languages }),
      },
      async embed(texts, purpose, given) {
        if (stopped) throw new EmbeddingFailure('EMBEDDING_UNAVAILABLE', 'the embedding model is stopped');
        const signal = AbortSignal.any([given, stopping.signal]);
        const prefix = purpose === 'question' ? questionPrefix : documentPrefix;
        const release = await calls.acquire(signal);
        try {
          const input = texts.map((text) => prefix + beginningOfText(text, maxCharacters));
          const vectors: Float32Array[] = [];
          for (let at = 0; at < input.length; at += options.batchSize)
            vectors.push(...(await guarded(input.slice(at, at + options.batchSize), signal)));
          if (vectors.some(({ length }) => length !== vectors[0]?.length))
            throw badResponse('the vectors of one request differ in length');
          return vectors;
        } catch (error) {
          throw error instanceof CallFailure ? toEmbeddingFailure(error) : error;
        } finally {
          release();
        }
      },
      async health() {
        if (stopped) return { ok: false, reason: 'stopped' };
        if (refusal !== null) return { ok: false, reason: refusal };
        return breaker.isOpen() ? { ok: false, reason: 'it does not respond' } : { ok: true };
      },
      async probe(signal) {
        try {
          await port.embed(['yes'], 'question', signal);
          return { ok: true };
        } catch (error) {
          return { ok: false, reason: error instanceof Error ? error.message : String(error) };
        }
      },
    };
    return {
      port,
      async stop() {
        stopped = true;
        stopping.abort(new EmbeddingFailure('EMBEDDING_UNAVAILABLE', 'the embedding model is stopped'));
        await agent.destroy();
      },
    };
  },
};

/** Truncates a text to `most` characters (code points). */
const beginningOfText = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, most * 2)].slice(0, most).join('');
