import type { Answerer } from '../chat/answerer.js';
import { ApiError } from '../errors/api-error.js';
import type { Sweep } from '../jobs/sweeper.js';
import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Feedback } from '../ports/store/conversations/answer.js';
import type {
  ConversationRow,
  ConversationState,
  MessageRow,
  ToolResult,
} from '../ports/store/conversations/conversation-rows.js';
import {
  ConversationGone,
  type Conversations as ConversationStore,
  type ConversationTurn,
  type Typist,
} from '../ports/store/conversations/conversations.js';
import type { StoredResponses } from '../ports/store/stored-responses.js';
import type { DayCounts } from '../visitors/day-counts.js';
import type { AnswerFigures } from './answer-figures.js';
import { type Answers, createAnswers } from './answers.js';
import { type Asking, createAsking } from './asking.js';
import { createConversationQueue } from './conversation-queue.js';
import { createFollowers, type Followed, type Followers } from './follow.js';
import { type Call, callPerson } from './handover/call-person.js';
import { createEventFeed, type EventFeed } from './handover/event-feed.js';
import { createHeadWatcher } from './handover/head-watcher.js';
import { createInboxFeed, type InboxFeed } from './handover/inbox-feed.js';
import { createPeople, type People } from './handover/people.js';
import { type LeftContact, leaveContact } from './leave-contact.js';
import { messageIdOf } from './message-id.js';
import { createStartAnswer, type StartAnswer } from './start-answer.js';
import { countFeedback } from './statistics.js';
import { conversationSweeps } from './sweeps.js';
import { callUnknown, takeToolResult } from './tool-results.js';
import { createUnstoredAnswers, type UnstoredAnswers } from './unstored-answers.js';
import { findVisible, keyViewer, type Viewer } from './viewer.js';

export interface ConversationSettings {
  /** Maximum wait for a busy conversation. */
  busyWaitMs: number;
  /** Maximum duration of an answer. */
  deadlineMs: number;
  toolResultTtlSeconds: number;
  /** Token budget of the earlier messages in a prompt. */
  historyTokens: number;
  /** Conversations without a message for this time are deleted; null keeps them. */
  retentionDays: number | null;
  anonymousRetentionDays: number | null;
}

export interface Conversations extends Asking, Followers {
  /** Answers of people in place of the agent. */
  readonly people: People;
  /** Events of conversations that people may answer. */
  readonly feed: EventFeed;
  /** Changes of the conversations that people answer, or may answer. */
  readonly inboxFeed: InboxFeed;
  /** Asks for a person, or takes that back. Returns the state after it. Throws 503 above the limits. */
  call(conversation: ConversationRow, call: Call, share: string): Promise<ConversationState>;
  /** Records that a person has read the conversation. */
  markRead(conversation: ConversationRow): Promise<void>;
  /** Records that a side types. Does nothing if that was recorded within three seconds. */
  typing(conversation: ConversationRow, from: Typist): Promise<void>;
  startAnswer: StartAnswer;
  /** Finds a conversation that is visible to the viewer; to null, all are. Throws RESOURCE_NOT_FOUND. */
  known(agentId: string, conversationId: string, viewer: Viewer | null): Promise<ConversationRow>;
  /**
   * Stops the answer in progress. Resolves to false if there was none, or if it ended before it could be stopped. `share`:
   * owner of the share of writers that the call uses.
   */
  stop(conversation: ConversationRow, share: string): Promise<boolean>;
  /** Stores the client's result of a tool call. Throws RESOURCE_TOOL_CALL_NOT_FOUND. */
  takeToolResult(
    agentId: string,
    conversationId: string,
    toolCallId: string,
    result: ToolResult,
  ): Promise<void>;
  /**
   * Stores the feedback on an answer. An undefined `comment` keeps the stored comment. Throws RESOURCE_MESSAGE_NOT_FOUND
   * or RESOURCE_MESSAGE_NOT_ASSISTANT.
   */
  giveFeedback(
    conversation: ConversationRow,
    messageId: string,
    given: { feedback: Feedback | null; comment?: string | null | undefined },
    share: string,
  ): Promise<MessageRow>;
  /** Stores contact details of the conversation's visitor. Returns their id. Throws 503 above the limits. */
  leaveContact(conversation: ConversationRow, contact: LeftContact, share: string): Promise<string>;
  /** Deletes a conversation for an erasure, like `delete`. */
  erase(conversationId: string, erasureId: string): Promise<void>;
  /** Deletes the conversation with all its rows. Ends its answer in progress. */
  delete(conversation: ConversationRow): Promise<void>;
  /** Resolves at the end of an answer that this process extracts from sources; null for other answers. */
  extractionOf(followed: Followed): Promise<unknown> | null;
  /** Answers to clients that keep their conversations themselves. */
  readonly unstored: Pick<UnstoredAnswers, 'answer'>;
  /** All answers in progress, stored or not. */
  readonly answers: Pick<Answers, 'size' | 'settled' | 'interrupt'>;
  readonly sweeps: Sweep[];
}

export interface ConversationsOptions {
  store: ConversationStore;
  responses: Pick<StoredResponses, 'forget'>;
  dayCounts: DayCounts;
  answerer: Answerer;
  settings: ConversationSettings;
  clock: Clock;
  onAnswer: (figures: AnswerFigures) => void;
  log: Log;
}

/** Pause between two records of typing. */
const TYPING_MS = 3000;

export function createConversations({
  store,
  responses,
  dayCounts,
  answerer,
  settings,
  clock,
  onAnswer,
  log,
}: ConversationsOptions): Conversations {
  const queue = createConversationQueue({ conversations: store, clock, busyWaitMs: settings.busyWaitMs });
  const answers = createAnswers({
    answerer,
    conversations: store,
    clock,
    deadlineMs: settings.deadlineMs,
    toolResultTtlSeconds: settings.toolResultTtlSeconds,
    onFree: queue.free,
    onEnd: onAnswer,
    log,
  });
  const unstored = createUnstoredAnswers({
    answerer,
    store,
    clock,
    deadlineMs: settings.deadlineMs,
    historyTokens: settings.historyTokens,
    onEnd: onAnswer,
    log,
  });
  const followers = createFollowers({ answers, reads: store.reads });
  const startAnswer = createStartAnswer({ answerer, answers, reads: store.reads, clock });
  const asking = createAsking({ conversations: store, startAnswer, responses, queue, dayCounts, clock });

  const inTurn = <T>(
    { id }: ConversationRow,
    share: string,
    turn: (turn: ConversationTurn) => Promise<T>,
  ): Promise<T> =>
    store.turns.run(id, turn, share).catch((error: unknown) => {
      throw error instanceof ConversationGone ? new ApiError('RESOURCE_NOT_FOUND') : error;
    });

  /** Resolves to false if the answer has ended. */
  const requestStop = (conversation: ConversationRow, messageId: number, share: string): Promise<boolean> =>
    inTurn(conversation, share, async (turn) => {
      if (turn.conversation.activeMessageId !== messageId) return false;
      await turn.messages.requestStop(messageId, clock.now());
      return true;
    });

  async function endOf(followed: Followed) {
    const state = await followers.end(followed);
    return state.kind === 'message' ? state.message.status : state.end?.outcome;
  }

  return {
    feed: createEventFeed({ reads: store.reads, watcher: createHeadWatcher(store.reads, log), clock }),
    typing: ({ id }, from) => store.saves.typing(id, from, clock.now(), clock.now() - TYPING_MS),
    inboxFeed: createInboxFeed({ inbox: store.inbox, clock, log }),
    people: createPeople({ store, responses, answers, clock }),
    ...asking,
    ...followers,
    startAnswer,
    unstored,
    answers: {
      get size() {
        return answers.size + unstored.size;
      },
      async settled(withinMs) {
        await Promise.all([answers.settled(withinMs), unstored.settled(withinMs)]);
      },
      interrupt() {
        answers.interrupt();
        unstored.interrupt();
      },
    },
    sweeps: conversationSweeps({
      store,
      clock,
      retentionDays: settings.retentionDays,
      anonymousRetentionDays: settings.anonymousRetentionDays,
      log,
    }),

    async known(agentId, conversationId, viewer) {
      const conversation = await findVisible(store, agentId, conversationId, viewer);
      if (!conversation) throw new ApiError('RESOURCE_NOT_FOUND');
      return conversation;
    },

    extractionOf({ messageId }) {
      const answer = answers.find(messageId);
      return answer?.isExtractive ? answer.ended : null;
    },

    async stop(conversation, share) {
      const { agentId, id: conversationId, activeMessageId: messageId } = conversation;
      if (messageId === null) return false;
      const live = answers.find(messageId);
      if (live) live.interrupt('stopped');
      else if (!(await requestStop(conversation, messageId, share))) return false;
      return (await endOf({ agentId, conversationId, messageId })) === 'stopped';
    },

    async takeToolResult(agentId, conversationId, toolCallId, result) {
      const conversation = await findVisible(store, agentId, conversationId, keyViewer);
      if (!conversation) throw new ApiError('RESOURCE_TOOL_CALL_NOT_FOUND');
      await store.turns
        .run(
          conversation.id,
          (turn) => takeToolResult(turn, { toolCallId, result, clock }),
          conversation.workspaceId,
        )
        .catch((error: unknown) => {
          throw callUnknown(error);
        });
    },

    giveFeedback: (conversation, messageId, { feedback, comment }, share) =>
      inTurn(conversation, share, async (turn) => {
        const id = messageIdOf(messageId);
        const message = id === null ? null : await turn.messages.find(id);
        if (!message) throw new ApiError('RESOURCE_MESSAGE_NOT_FOUND');
        if (message.role !== 'assistant') throw new ApiError('RESOURCE_MESSAGE_NOT_ASSISTANT');
        const kept = comment === undefined ? message.feedbackComment : comment || null;
        const patch = { feedback, feedbackComment: feedback === null ? null : kept };
        await turn.messages.update(message.id, patch);
        countFeedback(turn, message, feedback);
        return { ...message, ...patch };
      }),

    call: (conversation, call, share) =>
      inTurn(conversation, share, (turn) => callPerson(turn, call, clock.now())),

    async markRead(conversation) {
      if (conversation.unread === 0) return;
      await inTurn(conversation, conversation.workspaceId, async (turn) => {
        if (turn.conversation.unread > 0) turn.change({ unread: 0 });
      });
    },

    leaveContact: (conversation, contact, share) =>
      inTurn(conversation, share, (turn) => leaveContact(turn, contact, clock.now())),

    async erase(conversationId, erasureId) {
      const ended = await store.turns
        .run(conversationId, async (turn) => {
          turn.countErased(erasureId);
          await turn.delete(clock.now());
          return turn.conversation.activeMessageId;
        })
        .catch((error: unknown) => {
          if (error instanceof ConversationGone) return null;
          throw error;
        });
      if (ended !== null) answers.find(ended)?.interrupt('stopped');
    },

    async delete(conversation) {
      const messageId = await inTurn(conversation, conversation.workspaceId, async (turn) => {
        await turn.delete(clock.now());
        turn.audit();
        return turn.conversation.activeMessageId;
      });
      if (messageId !== null) answers.find(messageId)?.interrupt('stopped');
    },
  };
}
