import { personAskedIn } from '../../chat/small-talk.js';
import { builtInMessages } from '../../locales/built-in-messages.js';

const FALLBACK_LANGUAGE = 'en';

/**
 * Returns our sentence for a message that only asks for a person, in the language of the agent, else of the message. Null
 * for other messages. `personAsked`: a person was told.
 */
export function answerToCall(
  message: string,
  language: string | null,
  sentence: 'person' | 'personAsked',
): string | null {
  const locale = personAskedIn(message, language ?? FALLBACK_LANGUAGE);
  return locale === null ? null : builtInMessages(language ?? locale)[sentence];
}
