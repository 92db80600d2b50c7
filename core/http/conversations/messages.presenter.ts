import type { Usage } from '../../ports/store/conversations/answer.js';
import type {
  MessageRow,
  Script,
  ToolCallProgress,
} from '../../ports/store/conversations/conversation-rows.js';
import type { JsonObject, JsonValue } from '../../schemas/json.js';
import {
  type Audience,
  metadataFor,
  presentMetadata,
  presentUsage,
  type Speakers,
} from './message-metadata.js';

export interface Presentation {
  /** Tool calls in the message's script, by id. */
  toolCalls: ReadonlyMap<string, ToolCallProgress>;
  /** Unix seconds. */
  now: number;
  /** Longer tool outputs are cut. In UTF-8 bytes as JSON. */
  longestOutput?: number;
}

export function presentMessage(message: MessageRow, conversation: Speakers, presentation: Presentation) {
  return {
    id: String(message.id),
    role: message.role,
    status: message.status,
    createdAt: message.createdAt,
    parts: presentParts(message.script, presentation),
    ...(message.role === 'assistant' ? { feedback: message.feedback } : {}),
    ...(message.feedbackComment === null ? {} : { feedbackComment: message.feedbackComment }),
    metadata: presentMetadata(message, conversation),
  };
}

function presentParts(script: Script, { toolCalls, now, longestOutput }: Presentation): JsonObject[] {
  const parts: JsonObject[] = [];
  for (const item of script) {
    switch (item.kind) {
      case 'text': {
        const text = parts[item.part];
        parts[item.part] = { type: 'text', text: `${text?.text ?? ''}${item.text}` };
        break;
      }
      case 'tool-call': {
        const { toolCallId, toolName, input } = item;
        const call = toolCalls.get(toolCallId);
        const expired = call?.state === 'pending' && call.expiresAt <= now;
        const state = expired ? 'expired' : (call?.state ?? 'superseded');
        const expiresAt = call?.expiresAt ?? 0;
        parts[item.part] = { type: 'tool-call', toolCallId, toolName, input, state, expiresAt };
        break;
      }
      case 'tool-result': {
        const { kind: _, part, toolCallId, toolName, ...result } = item;
        parts[part] = { type: 'tool-result', toolCallId, toolName, ...cut(result, longestOutput) };
        break;
      }
    }
  }
  return parts;
}

/** Replaces a long output with the start of its JSON text. */
function cut(result: { output: JsonValue } | { error: string }, longest: number | undefined): JsonObject {
  if (longest === undefined || !('output' in result)) return { ...result };
  const json = JSON.stringify(result.output);
  if (Buffer.byteLength(json) <= longest) return { ...result };
  const bytes = Buffer.from(json).subarray(0, longest);
  // Drops an incomplete character at the end.
  const output = new TextDecoder().decode(bytes, { stream: true });
  return { output, truncated: true };
}

const NO_USE: Usage = { credits: 0, inputTokens: 0, outputTokens: 0 };

/** A text that is sent in place of an answer if a limit is reached. It is not stored. */
export interface Refusal {
  text: string;
  userId: string | null;
  /** Null if waiting does not help. */
  retryAfterSeconds: number | null;
}

/** Returns what a client gets in place of an answer if a person will answer its message. */
export const presentForPerson = (
  { conversationId, userId, messageId }: { conversationId: string; userId: string | null; messageId: number },
  { now, audience }: { now: number; audience: Audience },
) => ({
  id: null,
  role: 'assistant',
  status: 'completed',
  createdAt: now,
  parts: [],
  feedback: null,
  metadata: metadataFor(audience, {
    conversationId,
    userMessageId: String(messageId),
    userId,
    finishReason: 'other',
    usage: presentUsage(NO_USE),
    citations: [],
    handledBy: 'human',
  }),
});

/** `conversationId`: null for the first message of a conversation. */
export function presentRefusal(
  { text, userId, retryAfterSeconds }: Refusal,
  { conversationId, now, audience }: { conversationId: string | null; now: number; audience: Audience },
) {
  return {
    id: null,
    role: 'assistant',
    status: 'completed',
    createdAt: now,
    parts: [{ type: 'text', text }],
    feedback: null,
    metadata: metadataFor(audience, {
      conversationId,
      userMessageId: null,
      userId,
      finishReason: 'other',
      usage: presentUsage(NO_USE),
      citations: [],
      ...(retryAfterSeconds === null ? {} : { rateLimited: { retryAfterSeconds } }),
    }),
  };
}
