import { randomUUID } from 'node:crypto';
import type { Answerer } from '../chat/answerer.js';
import type { Clock } from '../ports/clock.port.js';
import type { ConversationReads } from '../ports/store/conversations/conversations.js';
import type { Answers, Ending } from './answers.js';
import type { Asker } from './asker.js';
import { readHistory } from './history.js';
import type { LiveAnswer } from './live-answer.js';
import type { Opened, OpeningContext } from './open-answer.js';

export interface Started {
  kind: 'started';
  answer: LiveAnswer;
}

/**
 * Starts an answer, for every channel: takes a permit of the model, runs the turn that opens the answer, and lets this
 * process write it. If the turn has another outcome, releases the permit and returns that outcome. `ending` runs in the
 * turn that stores the complete answer. Throws ModelBusy and the errors of `open`, before anything is stored.
 */
export type StartAnswer = <T extends { kind: string } | null = never>(
  asker: Asker,
  open: (context: OpeningContext) => Promise<Opened | T>,
  ending?: Ending,
) => Promise<Started | Exclude<T, Opened>>;

const isOpened = (outcome: { kind: string } | null): outcome is Opened => outcome?.kind === 'opened';

export function createStartAnswer({
  answerer,
  answers,
  reads,
  clock,
}: {
  answerer: Pick<Answerer, 'admit'>;
  answers: Pick<Answers, 'begin'>;
  reads: ConversationReads;
  clock: Clock;
}): StartAnswer {
  return async (asker, open, ending) => {
    const { agent, settings, key, visitor, onAdmitted, share, requestId } = asker;
    const place = answerer.admit(asker);
    const token = randomUUID();
    try {
      const outcome = await open({ settings, key, visitor, onAdmitted, token, nowMs: clock.now() });
      if (!isOpened(outcome)) {
        place.release();
        return outcome as Exclude<typeof outcome, Opened>;
      }
      const { message, tools, upTo, together } = outcome;
      const { conversationId } = message;
      const request = async () => ({
        ...asker,
        tools,
        together,
        ...(await readHistory(reads, { conversationId, upTo, nowMs: clock.now() })),
      });
      const { id: agentId, workspaceId } = agent;
      const ids = { agentId, workspaceId, requestId };
      return {
        kind: 'started',
        answer: answers.begin({ ...ids, share, message, token, place, request, ending }),
      };
    } catch (error) {
      place.release();
      throw error;
    }
  };
}
