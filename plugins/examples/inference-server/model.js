import { linesOf } from './src/lines.js';
import { failed, openServer } from './src/server.js';

/** @import { ModelEvent, ModelPlugin, ModelRequest } from 'cadre/plugin' */

/**
 * Only types are imported from Cadre, so this file loads in any folder.
 * @satisfies {ModelPlugin<{ url: string, token?: string, model: string, serves: string[], contextTokens: number }>}
 */
const plugin = {
  kind: 'model',
  name: 'inference-server',
  contract: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['url', 'model', 'serves'],
    properties: {
      url: { type: 'string', pattern: '^https?://' },
      token: { type: 'string', writeOnly: true },
      model: { type: 'string', minLength: 1, description: 'Name of the model at the server.' },
      serves: { type: 'array', items: { type: 'string' }, description: 'Models that agents may select.' },
      contextTokens: { type: 'integer', minimum: 1000, default: 32_000 },
    },
  },
  async start({ options }) {
    const server = openServer(options, 'MODEL');

    /**
     * @param {Pick<ModelRequest, 'model' | 'messages' | 'maxOutputTokens'>} request
     * @param {AbortSignal} signal
     * @returns {AsyncGenerator<ModelEvent>}
     */
    async function* read({ model, messages, maxOutputTokens }, signal) {
      const said = messages.map((message) => ({
        role: message.role,
        text: message.role === 'tool' ? JSON.stringify(message.output) : message.text,
      }));
      const body = { model: options.model, messages: said, maxTokens: maxOutputTokens };
      const response = await server.post('/generate', body, signal);
      for await (const line of linesOf(response.body ?? nothing())) {
        const { text, done, inputTokens = null, outputTokens = null } = JSON.parse(line);
        if (text) yield { type: 'text', text };
        if (!done) continue;
        yield { type: 'usage', inputTokens, outputTokens };
        yield { type: 'finish', reason: 'stop', model };
        return;
      }
      throw failed('MODEL_BAD_ANSWER', 'the answer of the server has no end');
    }

    /** @type {typeof read} */
    async function* answer(request, signal) {
      try {
        yield* read(request, signal);
        server.note();
      } catch (error) {
        signal.throwIfAborted();
        const known = error instanceof Error && ('code' in error || !server.health().ok);
        const failure = known
          ? error
          : failed('MODEL_BAD_ANSWER', 'the answer of the server broke off', { cause: error });
        server.note(failure);
        throw failure;
      }
    }

    return {
      port: {
        describe: (model) =>
          options.serves.includes(model)
            ? {
                contextTokens: options.contextTokens,
                maxOutputTokens: Math.floor(options.contextTokens / 4),
                tools: false,
                credits: 1,
                extractive: false,
              }
            : null,
        // The server queues requests by itself. A plugin with a limit throws an error with the name ModelBusy.
        admit: () => ({ release() {} }),
        answer,
        health: async () => server.health(),
        async probe(signal) {
          const ping = { model: '', messages: [{ role: /** @type {const} */ ('user'), text: 'Hello' }] };
          try {
            for await (const _ of answer({ ...ping, maxOutputTokens: 1 }, signal));
          } catch {
            signal.throwIfAborted();
          }
          return { server: server.health() };
        },
      },
      stop: server.stop,
    };
  },
};

export default plugin;

/** @returns {AsyncIterable<Uint8Array>} */
async function* nothing() {}
