import type { AnswerState } from '../conversations/answer-state.js';
import type { Asker } from '../conversations/asker.js';
import type { Conversations } from '../conversations/conversations.js';
import type { Availability } from '../conversations/handover/availability.js';
import { visitorsOf } from '../fairness/owner.js';
import { builtInMessages } from '../locales/built-in-messages.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { AgentReads } from '../ports/store/agents/agent-reads.js';
import type { ChannelFlow, Claim, EventRow } from '../ports/store/channels/channel-flow.js';
import type { AutomationRow } from '../ports/store/channels/channels.js';
import type { Workspace, Workspaces } from '../ports/store/workspaces.js';
import type { DayCounts } from '../visitors/day-counts.js';
import { dayOf } from '../visitors/limits.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import type { EventHandler } from './event-handler.js';
import { endRound, giveUpRound, openRound } from './message-turns.js';
import { windowAfter } from './new-message.js';
import type { PersonConversation, PersonConversations } from './person-conversation.js';

interface MessageRoundsOptions {
  flow: Pick<ChannelFlow, 'end'>;
  liveAutomations: (agentId: string) => Promise<AutomationRow[]>;
  conversations: Pick<Conversations, 'startAnswer'>;
  dayCounts: DayCounts;
  availability: Pick<Availability, 'accepts'>;
  people: PersonConversations;
  reads: Pick<AgentReads, 'agentWithSettings'>;
  workspaces: Pick<Workspaces, 'find'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  clock: Clock;
  onQueued: () => void;
  log: Log;
}

/** Number of attempts after which the person gets the sentence that the chat is not available. */
const MOST_TRIES = 3;
/** Number of attempts after which a message ends without a sentence, because sending that has failed, too. */
const LAST_TRY = 10;
/** Failures of answers that do not count as attempts: the model is unavailable, or this process is stopping. */
const AWAY = new Set(['PROCESS_LOST', 'MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', 'MODEL_RATE_LIMITED']);
/** Maximum length of an answer in characters, as an instruction to the model. */
const REPLY_CHARACTERS = 900;

/** Answers the claimed messages of a person, together. */
export function createMessageRounds(options: MessageRoundsOptions): EventHandler {
  const { flow, conversations, dayCounts, people, clock, onQueued, log } = options;

  const personOf = ({ connection, events }: Claim): Promise<PersonConversation> =>
    people.of({
      agentId: connection.agentId,
      workspaceId: connection.workspaceId,
      accountId: connection.accountId as string,
      personId: (events[0] as EventRow).personId,
      windowUntilMs: Math.max(...events.map(({ at }) => windowAfter(at))),
    });

  /** Ends the messages without a sentence. Unlike `giveUp`, it stores no message, because that may be what fails. */
  async function abandon(claim: Claim): Promise<void> {
    const ids = claim.events.map(({ id }) => id);
    await flow.end(claim, ids, { status: 'failed', reason: 'UNAVAILABLE', now: seconds(clock.now()) });
    const { agentId } = claim.connection;
    log.warn({ agentId }, 'messages of the social channel were dropped without an answer');
  }

  async function giveUp(claim: Claim, person: PersonConversation, language: string | null): Promise<void> {
    const nowMs = clock.now();
    await people.run(person, (turn) => giveUpRound(turn, claim, { language, nowMs }));
    const { agentId, id: conversationId } = person.conversation;
    log.warn(
      { agentId, conversationId },
      'the agent could not answer on the social channel; the person was told so',
    );
    onQueued();
  }

  return {
    async handle(claim) {
      const { agentId, workspaceId } = claim.connection;
      const tries = claim.events[0]?.tries ?? 0;
      if (tries >= LAST_TRY) {
        await abandon(claim);
        return 'ended';
      }
      const [found, workspace, automations, person] = await Promise.all([
        options.reads.agentWithSettings(workspaceId, agentId),
        options.workspaces.find(workspaceId),
        options.liveAutomations(agentId),
        personOf(claim),
      ]);
      if (!found || !workspace) return 'ended';
      const language = typeof found.settings.language === 'string' ? found.settings.language : null;
      if (tries >= MOST_TRIES) {
        await giveUp(claim, person, language);
        return 'ended';
      }
      const { models, limits } = options.entitlementsOf(workspace);
      const asker: Asker = {
        ...found,
        models,
        isVisitor: true,
        replyCharacters: REPLY_CHARACTERS,
        viewer: { source: 'social', userId: person.conversation.userId },
        share: visitorsOf(workspaceId),
        visitor: null,
        requestId: claim.events[0]?.id ?? '',
        key: null,
      };
      const day = dayOf(clock.now());
      const today = {
        day,
        messages: limits.visitorMessagesPerDay,
        visitorStorageBytes: limits.visitorStorageBytes,
        unavailable: builtInMessages(language).unavailable,
      };
      const isUsedUp = await dayCounts.isUsedUp(workspaceId, today);
      const acceptsCalls = await options.availability.accepts(found.agent, found.settings);
      const round = { claim, automations, language, day, isUsedUp, acceptsCalls };
      const started = await conversations.startAnswer(
        asker,
        (context) => people.run(person, (turn) => openRound(turn, context, round), asker.share),
        (turn, message) => endRound(turn, message, clock.now()),
      );
      onQueued();
      if (started === null) return 'ended';
      dayCounts.counted(workspaceId, today);
      const state = await started.answer.ended;
      onQueued();
      return isComplete(state) ? 'ended' : { counts: !isAway(state) };
    },
  };
}

const isComplete = (state: AnswerState | null): boolean =>
  state?.kind === 'message' && state.message.status === 'completed';

const isAway = (state: AnswerState | null): boolean =>
  state?.kind === 'gone' && state.end?.outcome === 'failed' && AWAY.has(state.end.code);
