import {
  type Model,
  type ModelDescription,
  type ModelEvent,
  ModelFailure,
  type ModelRequest,
} from '../../core/ports/model.port.js';
import type { ModelPlugin } from '../../core/ports/plugin.port.js';
import { extractiveAnswer } from './answer.js';

const NAME = 'extractive';

const description: ModelDescription = {
  contextTokens: 1_000_000,
  maxOutputTokens: 8_000,
  tools: false,
  credits: 0,
  extractive: true,
};

function* answer(request: ModelRequest, signal: AbortSignal): Generator<ModelEvent> {
  for (const text of extractiveAnswer(request)) {
    signal.throwIfAborted();
    yield { type: 'text', text };
  }
  yield { type: 'usage', inputTokens: 0, outputTokens: 0 };
  yield { type: 'finish', reason: 'stop', model: NAME };
}

/**
 * The embedded default: answers with quotations, without a key, network or language model. Accepts every model name.
 */
export const extractive: ModelPlugin<object> = {
  name: NAME,
  kind: 'model',
  contract: 1,
  optionsSchema: { type: 'object', additionalProperties: false, properties: {} },
  async start() {
    let stopped = false;
    const port: Model = {
      describe: () => description,
      admit: () => ({ release() {} }),
      async *answer(request, signal) {
        if (stopped) throw new ModelFailure('MODEL_UNAVAILABLE', 'the model is stopped');
        yield* answer(request, signal);
      },
      health: async () => (stopped ? { ok: false, reason: 'stopped' } : { ok: true }),
      probe: async () => ({}),
    };
    return {
      port,
      async stop() {
        stopped = true;
      },
    };
  },
};
