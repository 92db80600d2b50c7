import type { ModelMessage, ModelRequest } from '../../core/ports/model.port.js';
import type { JsonObject } from '../../core/schemas/json.js';
import type { ModelOptions } from './options.js';

/** Parameters that the provider supports, as learned from its rejections. */
export interface SupportedParameters {
  tokenLimitField: 'max_tokens' | 'max_completion_tokens';
  temperature: boolean;
}

/** Returns the maximum length of the answer, in tokens. */
export const maxTokens = (request: ModelRequest, model: ModelOptions): number =>
  Math.min(request.maxOutputTokens, model.maxOutputTokens);

export function requestBody(
  request: ModelRequest,
  model: ModelOptions,
  supported: SupportedParameters,
): JsonObject {
  const { temperature, ...params } = model.params;
  return {
    ...params,
    ...(supported.temperature && temperature !== undefined ? { temperature } : {}),
    model: model.model,
    messages: request.messages.map(messageOf),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolOf) }),
    [supported.tokenLimitField]: maxTokens(request, model),
    stream: true,
    stream_options: { include_usage: true },
  };
}

const toolOf = ({ name, description, inputSchema }: ModelRequest['tools'][number]): JsonObject => ({
  type: 'function',
  function: { name, ...(description === undefined ? {} : { description }), parameters: inputSchema },
});

function messageOf(message: ModelMessage): JsonObject {
  switch (message.role) {
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        content: typeof message.output === 'string' ? message.output : JSON.stringify(message.output),
      };
    case 'assistant': {
      const { text, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content: text };
      return {
        role: 'assistant',
        content: text === '' ? null : text,
        tool_calls: toolCalls.map(({ toolCallId, toolName, input }) => ({
          id: toolCallId,
          type: 'function',
          function: { name: toolName, arguments: JSON.stringify(input) },
        })),
      };
    }
    default:
      return { role: message.role, content: message.text };
  }
}
