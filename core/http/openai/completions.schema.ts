import { type TSchema, Type } from '@sinclair/typebox';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { nullable, oneOf } from '../../schemas/shapes.js';
import { userId } from '../../schemas/user-id.js';

/*
 * Requests and responses of the protocol in https://platform.openai.com/docs/api-reference/chat, as far as Cadre
 * supports it.
 */

const { chat } = limits;
const optional = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema));

/** Parameters that have no effect: the settings of the agent decide. */
export const ignoredParameters = [
  'frequency_penalty',
  'logit_bias',
  'max_completion_tokens',
  'max_tokens',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'reasoning_effort',
  'safety_identifier',
  'seed',
  'service_tier',
  'temperature',
  'top_p',
  'verbosity',
  'web_search_options',
] as const;

/** Parameters that are refused, because they change the form of the answer and Cadre does not support them. */
export const refusedParameters = ['audio', 'function_call', 'functions', 'stop', 'top_logprobs'] as const;

const contentPart = Type.Object({
  type: Type.String(),
  text: optional(Type.String()),
  refusal: optional(Type.String()),
});
export type ContentPart = (typeof contentPart)['static'];

const content = Type.Unsafe<string | null | ContentPart[]>({
  type: ['string', 'null', 'array'],
  items: contentPart,
});

const toolCall = Type.Object({
  id: Type.String({ minLength: 1, maxLength: chat.toolCallId }),
  type: optional(Type.Literal('function')),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});

const message = Type.Object({
  role: oneOf(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Type.Optional(content),
  refusal: optional(Type.String()),
  tool_calls: optional(Type.Array(toolCall, { maxItems: chat.tools })),
  tool_call_id: optional(Type.String({ minLength: 1, maxLength: chat.toolCallId })),
});
export type SentMessage = (typeof message)['static'];

const tool = Type.Object({
  type: Type.Literal('function'),
  function: Type.Object({
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    description: optional(Type.String({ maxLength: chat.toolDescription })),
    parameters: optional(Type.Unsafe<JsonObject>({ type: 'object' })),
  }),
});
export type SentTool = (typeof tool)['static'];

const unused = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown())]));

export const completionBody = Type.Object({
  model: Type.String(),
  messages: Type.Array(message, { minItems: 1, maxItems: chat.sentMessages }),
  stream: optional(Type.Boolean()),
  stream_options: optional(Type.Object({ include_usage: optional(Type.Boolean()) })),
  tools: optional(Type.Array(tool, { maxItems: chat.tools })),
  tool_choice: optional(oneOf(['auto', 'none'])),
  metadata: optional(
    Type.Object({
      conversation_id: optional(Type.String({ minLength: 1, maxLength: chat.conversationId })),
    }),
  ),
  store: optional(Type.Boolean()),
  user: optional(userId),
  n: optional(Type.Integer({ minimum: 1, maximum: 1 })),
  logprobs: optional(Type.Literal(false)),
  modalities: optional(Type.Array(oneOf(['text']))),
  response_format: optional(Type.Object({ type: oneOf(['text']) })),
  ...unused(ignoredParameters),
  ...unused(refusedParameters),
});

const model = Type.Object({
  id: Type.String(),
  object: Type.Literal('model'),
  created: Type.Integer(),
  owned_by: Type.String(),
  name: Type.String(),
});
export const modelSchema = model;
export const modelListSchema = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(model),
  has_more: Type.Boolean(),
});

export const completionSchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('chat.completion'),
  created: Type.Integer(),
  model: Type.String(),
  choices: Type.Array(
    Type.Object({
      index: Type.Literal(0),
      finish_reason: oneOf(['stop', 'length', 'content_filter', 'tool_calls']),
      logprobs: Type.Null(),
      message: Type.Object({
        role: Type.Literal('assistant'),
        content: nullable(Type.String()),
        refusal: Type.Null(),
        annotations: Type.Array(Type.Object({ type: Type.Literal('url_citation') })),
      }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
  cadre: Type.Object({ conversationId: nullable(Type.String()), citations: Type.Array(Type.Object({})) }),
});
