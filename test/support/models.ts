import type {
  ModelOptions,
  OpenAiCompatibleOptions,
  ProviderOptions,
} from '../../adapters/openai-compatible/options.js';
import { nothingFound } from '../../core/chat/nothing-found.js';
import { silentLog } from '../../core/ports/log.port.js';
import {
  type Model,
  type ModelDescription,
  type ModelEvent,
  ModelFailure,
  type ModelFailureCode,
  type ModelRequest,
} from '../../core/ports/model.port.js';

/** Context of a model plugin without its options. */
export const pluginContext = {
  log: silentLog,
  role: 'api',
  secret: new Uint8Array(),
  dataDir: '/nonexistent',
  maxUploadBytes: 0,
  maxDeliveries: 3,
  processName: 'test',
  now: () => Date.now(),
} as const;

/** A request with a question; everything else is empty. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  const question = changes.question ?? 'How do I reset the device?';
  return {
    model: 'vendorB/familyB-haiku-4-5',
    messages: [{ role: 'user', text: question }],
    tools: [],
    maxOutputTokens: 500,
    question,
    found: nothingFound,
    smallTalk: null,
    language: 'en',
    requestId: 'request-1',
    ...changes,
  };
}

/** The response of a scripted model to one request. */
export type ModelScript = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

export interface ScriptedModel extends Model {
  /** Requests, in order. */
  requests: ModelRequest[];
}

const scriptedDescription: ModelDescription = {
  contextTokens: 32_000,
  maxOutputTokens: 1_000,
  tools: true,
  credits: 2,
  extractive: false,
};

/** Answers with the scripts in order, then repeats the last one. */
export function scriptedModel(
  scripts: readonly ModelScript[],
  description: Partial<ModelDescription> | null = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    describe: () => (description === null ? null : { ...scriptedDescription, ...description }),
    admit: () => ({ release() {} }),
    answer(request, signal) {
      const script = scripts[Math.min(requests.length, scripts.length - 1)];
      requests.push(structuredClone(request));
      if (script === undefined) throw new Error('no script');
      return script(request, signal);
    },
    health: async () => ({ ok: true }),
    probe: async () => ({}),
  };
}

/** These texts, then the end. */
export const says = (...texts: string[]): ModelScript =>
  async function* ({ model }) {
    for (const text of texts) yield { type: 'text', text };
    yield { type: 'usage', inputTokens: 100, outputTokens: 20 };
    yield { type: 'finish', reason: 'stop', model };
  };

/** Tool calls: name and arguments as written. */
export const callsTools = (...calls: [toolName: string, written: string][]): ModelScript =>
  async function* ({ model }) {
    for (const [toolName, written] of calls) yield { type: 'tool-call', toolName, arguments: written };
    yield { type: 'finish', reason: 'tool-calls', model };
  };

/** These texts, then a failure. */
export const fails = (code: ModelFailureCode, ...texts: string[]): ModelScript =>
  async function* () {
    for (const text of texts) yield { type: 'text', text };
    throw new ModelFailure(code, 'as the test wants it', { provider: 'main' });
  };

/** Options of openai-compatible for these providers: the first one serves every model name. */
export function modelOptions(
  baseUrls: Record<string, string>,
  changes: {
    provider?: Partial<ProviderOptions>;
    models?: Record<string, Partial<ModelOptions>>;
    timeouts?: Partial<OpenAiCompatibleOptions['timeouts']>;
  } = {},
): OpenAiCompatibleOptions {
  const [first = ''] = Object.keys(baseUrls);
  const providers = Object.entries(baseUrls).map(([name, baseUrl]) => [
    name,
    { baseUrl, tokenLimitField: 'max_tokens', maxConcurrent: 20, maxWaiting: 100, ...changes.provider },
  ]);
  const models = Object.entries(changes.models ?? { '*': {} }).map(([name, model]) => [
    name,
    {
      provider: first,
      model: 'small-1',
      contextTokens: 8000,
      maxOutputTokens: 500,
      credits: 1,
      tools: true,
      params: {},
      fallback: [],
      ...model,
    },
  ]);
  return {
    providers: Object.fromEntries(providers),
    models: Object.fromEntries(models),
    timeouts: { connectMs: 2000, firstByteMs: 30_000, idleMs: 30_000, ...changes.timeouts },
  };
}
