import type { KeyScope } from '../../../../../core/schemas/key-scopes.js';

/** Describes what keys of each scope may do. */
export const scopeTexts: Record<KeyScope, { name: string; about: string }> = {
  read: {
    name: 'Read',
    about: 'See agents, sources, conversations and statistics, and search. Changes nothing.',
  },
  chat: { name: 'Chat', about: 'Ask agents, rate answers and read conversations, for example from an app.' },
  full: { name: 'Full', about: 'Everything. Without a limit to agents also keys and webhooks.' },
};
