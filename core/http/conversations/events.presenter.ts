import type { ConversationEvent } from '../../conversations/handover/event-feed.js';
import { handoverAt } from '../../conversations/handover/state.js';
import type { ConversationRow } from '../../ports/store/conversations/conversation-rows.js';
import type { JsonObject } from '../../schemas/json.js';
import type { Caller } from '../auth/authenticate.js';
import type { Services } from '../services.js';
import { presented, speakersOf } from './answers.js';
import { personOf } from './conversations.presenter.js';

/** Returns the event as this caller sees it; null if the caller does not see it. */
export async function presentEvent(
  services: Services,
  event: ConversationEvent,
  { conversation, caller }: { conversation: ConversationRow; caller: Caller },
): Promise<JsonObject | null> {
  switch (event.type) {
    case 'message': {
      const message = await presented(services, event.message, speakersOf(conversation, caller));
      return { type: 'message', message: message as unknown as JsonObject };
    }
    case 'state':
      return presentState(event.conversation, services.clock.now());
    case 'typing':
      return caller.visitor !== null && event.from === 'visitor' ? null : { ...event };
  }
}

export function presentState({ handover }: ConversationRow, nowMs: number): JsonObject {
  if (handover === null) return { type: 'state', state: 'agent', person: null };
  const now = handoverAt(handover, nowMs);
  return { type: 'state', state: now.state, person: personOf(now) };
}
