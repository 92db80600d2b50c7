import { nothingFound } from '../../core/chat/nothing-found.js';
import type { Health } from '../../core/ports/health.js';
import { type Model, ModelFailure, type ModelRequest } from '../../core/ports/model.port.js';
import type { ModelPlugin } from '../../core/ports/plugin.port.js';
import { answerFrom, type Target } from './answer.js';
import { apiKeyOf, forgetKeys } from './api-key.js';
import { type ModelOptions, type OpenAiCompatibleOptions, optionProblems, optionsSchema } from './options.js';
import { createProvider, type Provider } from './provider.js';

const PROBE_TOKENS = 1;

/** Uses any provider with OpenAI-compatible streamed chat completions: local servers, gateways, hosted providers. */
export const openAiCompatible: ModelPlugin<OpenAiCompatibleOptions> = {
  name: 'openai-compatible',
  kind: 'model',
  contract: 1,
  optionsSchema,
  async start({ options, log }) {
    const problems = optionProblems(options);
    if (problems.length > 0)
      throw new Error(`The options of openai-compatible are not valid: ${problems.join('; ')}`);
    const providers = new Map<string, Provider>();
    for (const [name, provider] of Object.entries(options.providers)) {
      const key = apiKeyOf(name, provider);
      providers.set(name, createProvider({ name, options: provider, key, timeouts: options.timeouts, log }));
    }
    forgetKeys(options.providers);
    const stopping = new AbortController();
    let stopped = false;

    const mapped = (name: string): ModelOptions | undefined =>
      (Object.hasOwn(options.models, name) ? options.models[name] : undefined) ?? options.models['*'];

    function targetOf(name: string): Target | null {
      const model = mapped(name);
      const provider = providers.get(model?.provider ?? '');
      return model === undefined || provider === undefined ? null : { name, model, provider };
    }

    async function probed(provider: Provider, signal: AbortSignal): Promise<Health> {
      const model = Object.values(options.models).find((one) => one.provider === provider.name);
      if (model === undefined) return { ok: false, reason: 'no model is configured for this provider' };
      try {
        for await (const _ of provider.call(probe, model, signal));
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: error instanceof Error ? error.message : String(error) };
      }
    }

    const port: Model = {
      describe(name) {
        const model = mapped(name);
        if (model === undefined) return null;
        const { contextTokens, maxOutputTokens, tools, credits, provider } = model;
        return { contextTokens, maxOutputTokens, tools, credits, provider, extractive: false };
      },
      admit: (name, share) => targetOf(name)?.provider.admit(share) ?? { release() {} },
      async *answer(request, signal) {
        if (stopped) throw new ModelFailure('MODEL_UNAVAILABLE', 'the model is stopped');
        const first = targetOf(request.model);
        if (first === null)
          throw new ModelFailure('MODEL_REFUSED', `no provider is configured for ${request.model}`);
        const targets = [first, ...first.model.fallback.flatMap((name) => targetOf(name) ?? [])];
        yield* answerFrom(targets, request, AbortSignal.any([signal, stopping.signal]));
      },
      async health() {
        if (stopped) return { ok: false, reason: 'stopped' };
        const reasons = [...providers.values()].flatMap((provider) => {
          const health = provider.health();
          return health.ok ? [] : health.reason;
        });
        return reasons.length === 0 ? { ok: true } : { ok: false, reason: reasons.join('; ') };
      },
      async probe(signal) {
        const answers = [...providers].map(
          async ([name, provider]) => [name, await probed(provider, signal)] as const,
        );
        return Object.fromEntries(await Promise.all(answers));
      },
    };
    return {
      port,
      async stop() {
        stopped = true;
        stopping.abort(new ModelFailure('MODEL_UNAVAILABLE', 'the model is stopped'));
        await Promise.all([...providers.values()].map((provider) => provider.close()));
      },
    };
  },
};

const probe: ModelRequest = {
  model: '',
  messages: [{ role: 'user', text: 'Say yes.' }],
  tools: [],
  maxOutputTokens: PROBE_TOKENS,
  question: 'Say yes.',
  found: nothingFound,
  smallTalk: null,
  language: 'en',
  requestId: 'probe',
};
