import { asked, emptyAnswer, type Message } from '../../client/answer-events.js';
import type { ChatService } from '../page/chat/chat-service.js';
import type { Strings } from '../page/strings.js';
import type { Visitor } from '../page/visitor.js';

const CONVERSATION = 'preview';
/** Pause in ms between two words of the answer. */
const WORD_MS = 40;

/** Simulates the service: answers every message with the same text, and stores nothing. */
export function createScriptedService(strings: Strings, title: string): ChatService {
  let messages = 0;
  let stopped = false;
  const metadata = (): Message['metadata'] => ({
    conversationId: CONVERSATION,
    userMessageId: String(messages - 1),
    finishReason: 'stop',
    citations: [{ ...unknown, sourceId: '1', title, url: 'https://example.com/' }],
  });
  return {
    requests: null,
    async *answer(_question, _conversationId, { signal }) {
      messages += 2;
      stopped = false;
      yield { type: 'start', messageId: String(messages), messageMetadata: metadata() };
      for (const delta of strings.text('previewAnswer').split(/(?<=\s)/)) {
        await new Promise((resolve) => setTimeout(resolve, WORD_MS));
        if (signal.aborted) return;
        if (stopped) return yield { type: 'abort' };
        yield { type: 'text-delta', id: '0', delta };
      }
      yield { type: 'finish', finishReason: 'stop', messageMetadata: metadata() };
    },
    async *running() {},
    messages: async () => ({ messages: [], cursor: null }),
    message: async () => ({ ...emptyAnswer(), ...asked('') }),
    async stop() {
      stopped = true;
    },
    async rate() {},
    hasPerson: async () => false,
    conversations: async () => [],
    async leaveContact() {},
  };
}

const unknown = { documentId: '', sourceType: 'web_crawl', start: 0, end: 0, quote: '' } as const;

/** A visitor without token and conversation. */
export const previewVisitor: Visitor = {
  conversationId: () => null,
  hasConversation: () => false,
  remember() {},
  seen: () => null,
  see() {},
  authorization: async () => '',
  dropToken() {},
  identify: async () => null,
  reset() {},
};
