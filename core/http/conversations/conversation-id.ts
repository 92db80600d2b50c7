import { invalidField } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';

/** Reads the id, which is case-insensitive, from the path. Throws 400 if it is too long. */
export function conversationIdOf(params: Record<string, string>): string {
  const conversationId = params.conversationId ?? '';
  if ([...conversationId].length > limits.chat.conversationId)
    throw invalidField('conversationId', `must have at most ${limits.chat.conversationId} characters`);
  return conversationId.toLowerCase();
}
