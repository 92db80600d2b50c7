import { type Model, ModelFailure, type ModelFailureCode } from '../ports/model.port.js';
import { nothingFound } from './nothing-found.js';

const PROMPT = 'Say yes.';
const MAX_TOKENS = 16;
const TIMEOUT_MS = 30_000;

export interface ModelTest {
  latencyMs: number;
  /** Null if the model answered. */
  code: ModelFailureCode | null;
}

/**
 * Sends a short prompt to the model in the same way as a question. If only a fallback answers, the test has failed. Throws
 * ModelBusy, or the reason of `signal`.
 */
export async function testModel(
  model: Pick<Model, 'describe' | 'admit' | 'answer'>,
  name: string,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
): Promise<ModelTest> {
  const description = model.describe(name);
  if (description === null || description.extractive) return { latencyMs: 0, code: 'MODEL_REFUSED' };
  const place = model.admit(name);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const began = performance.now();
  let code: ModelFailureCode | null = 'MODEL_BAD_ANSWER';
  try {
    const request = {
      model: name,
      messages: [{ role: 'user' as const, text: PROMPT }],
      tools: [],
      maxOutputTokens: Math.min(MAX_TOKENS, description.maxOutputTokens),
      question: PROMPT,
      found: nothingFound,
      smallTalk: null,
      language: 'en',
      requestId,
    };
    let setback: ModelFailureCode = 'MODEL_UNAVAILABLE';
    for await (const event of model.answer(request, AbortSignal.any([signal, timeout]))) {
      if (event.type === 'setback') setback = event.code;
      if (event.type === 'finish') code = event.model === name ? null : setback;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelFailure) code = error.code;
    else if (timeout.aborted) code = 'MODEL_TIMEOUT';
    else throw error;
  } finally {
    place.release();
  }
  return { latencyMs: Math.round(performance.now() - began), code };
}
