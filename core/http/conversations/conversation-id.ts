import { invalidField } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';

/** As the path names it. Throws 400 for what is too long to be one; upper and lower case name the same. */
export function conversationIdOf(params: Record<string, string>): string {
  const conversationId = params.conversationId ?? '';
  if ([...conversationId].length > limits.chat.conversationId)
    throw invalidField('conversationId', `must have at most ${limits.chat.conversationId} characters`);
  return conversationId.toLowerCase();
}
