import type { FinishedAnswer } from '../chat/answerer.js';
import { usedDocuments } from '../chat/outcome.js';
import {
  type AnswerFailureCode,
  noFacts,
  type StoredFacts,
  type Usage,
} from '../ports/store/conversations/answer.js';
import type {
  EmptyEnd,
  FinishReason,
  MessageRow,
  MessageStatus,
  NewToolCall,
  Script,
} from '../ports/store/conversations/conversation-rows.js';
import type { ConversationLookup, ConversationTurn } from '../ports/store/conversations/conversations.js';
import type { CountedAnswer } from '../ports/store/conversations/statistics.js';
import { dayOf } from '../visitors/limits.js';
import { answerCompleted } from '../webhooks/answer-completed.js';
import type { AnswerState } from './answer-state.js';
import { nextPosition } from './handover/positions.js';
import { wordsOf } from './message-words.js';
import { saysSomething, shownCitations, textOf } from './script-writer.js';
import { bucketOf, countAnswer, isCounted } from './statistics.js';

export type AnswerEnd =
  | ({ kind: 'finished' } & FinishedAnswer)
  | { kind: 'stopped' }
  | { kind: 'failed'; code: AnswerFailureCode; model: string | null; usage: Usage | null };

/** Unsaved state of the writer. */
interface Unsaved {
  script: Script;
  toolCalls: NewToolCall[];
}

export interface EndingRows {
  message: MessageRow | null;
  agentExists: boolean;
}

/** Reads the rows for `endAnswer`, under the lock of the conversation. */
export async function readEnding(lookup: ConversationLookup, messageId: number): Promise<EndingRows> {
  const [message, agentExists] = await Promise.all([lookup.messages.find(messageId), lookup.agentExists()]);
  return { message, agentExists };
}

/** Returns the usage that the answerer reported; without a report, the usage of the last call of a model. */
function costOf(end: AnswerEnd, script: Script): { model: string | null; usage: Usage } {
  const asked = script.findLast((item) => item.kind === 'step-start');
  const { model = null, usage = null } = end.kind === 'stopped' ? {} : end;
  return {
    model: model ?? asked?.model ?? null,
    usage: usage ?? { credits: asked?.credits ?? 0, inputTokens: null, outputTokens: null },
  };
}

/**
 * Runs the last turn of an answer: stores the outcome, and frees the conversation. `token` is the token of the writer's
 * lease; null for a sweep. Returns null if the answer has already ended or has another writer.
 */
export async function endAnswer(
  turn: ConversationTurn,
  { message, agentExists }: EndingRows,
  {
    messageId,
    token,
    end,
    unsaved,
    elapsedMs = null,
    nowMs,
  }: {
    messageId: number;
    token: string | null;
    end: AnswerEnd;
    unsaved: Unsaved | null;
    /** Duration of the answer; null if the writer is gone. */
    elapsedMs?: number | null;
    nowMs: number;
  },
): Promise<AnswerState | null> {
  if (message?.status !== 'generating') return null;
  if (token !== null && message.lease?.token !== token) return null;
  if (!agentExists) {
    await turn.delete(nowMs);
    return { kind: 'gone', end: null };
  }
  await turn.messages.forgetStop(messageId);
  const script = unsaved?.script ?? message.script;
  charge(turn, end, script, nowMs);
  // A failed retry must not replace the old answer.
  const leavesNothing =
    !saysSomething(script) ||
    (message.draft && end.kind === 'failed') ||
    // A person on a social platform gets complete answers only.
    (turn.conversation.source === 'social' && end.kind !== 'finished');
  if (leavesNothing) return removeAnswer(turn, message, end);
  if (unsaved !== null) await turn.toolCalls.insert(messageId, unsaved.toolCalls);
  if (end.kind !== 'finished') await turn.toolCalls.supersede(messageId);
  const replaced = message.draft ? await replaceBranch(turn, message) : [];
  const ending = endingOf(end, script);
  const countedOn = isCounted({ ...message, ...ending }) ? dayOfQuestion(message, replaced, nowMs) : null;
  const patch = { ...ending, countedOn, script, lease: null, position: nextPosition(turn) };
  await turn.messages.update(messageId, patch);
  await turn.messages.storeWords(messageId, wordsOf(textOf(script)));
  countEnd(turn, { ...message, ...patch }, replaced, { elapsedMs, today: dayOf(nowMs) });
  const now = Math.floor(nowMs / 1000);
  turn.change({ activeMessageId: null, updatedAt: now });
  if (patch.outcome !== null)
    turn.announce(answerCompleted(turn.conversation, messageId, patch.outcome, now));
  return { kind: 'message', message: { ...message, ...patch, draft: false } };
}

/** Returns the columns of an answer's message that are known at its end. */
export function endingOf(
  end: AnswerEnd,
  script: Script,
): StoredFacts & Pick<MessageRow, 'status' | 'finishReason' | 'errorCode'> {
  const [status, finishReason]: [MessageStatus, FinishReason] =
    end.kind === 'finished'
      ? ['completed', end.reason]
      : end.kind === 'stopped'
        ? ['stopped', 'other']
        : ['failed', 'error'];
  return {
    status,
    finishReason,
    ...factsOf(end, script),
    errorCode: end.kind === 'failed' ? end.code : null,
  };
}

/** Returns the facts to store. Sources are stored only if the answer has an outcome. */
function factsOf(end: AnswerEnd, script: Script): StoredFacts {
  if (end.kind === 'finished') {
    const { kind: _, reason: __, sources, ...facts } = end;
    return { ...facts, sources: facts.outcome === null ? null : sources };
  }
  const citations = shownCitations(script);
  const facts = { ...noFacts, ...costOf(end, script), citations };
  // A stopped answer that cites nothing may have been cut before its citation, so it has no outcome.
  return end.kind === 'stopped' && citations.length > 0
    ? { ...facts, outcome: 'answered', sources: usedDocuments(citations) }
    : facts;
}

/** A retry keeps the day of the answer that it replaces, so that the question counts once. */
const dayOfQuestion = ({ userMessageId }: MessageRow, replaced: CountedAnswer[], nowMs: number): string =>
  replaced.find((old) => old.userMessageId === userMessageId && old.countedOn !== null)?.countedOn ??
  dayOf(nowMs);

/** Updates the statistics: the answer counts, and the answers that it replaces no longer do. */
function countEnd(
  turn: ConversationTurn,
  answer: MessageRow,
  replaced: CountedAnswer[],
  { elapsedMs, today }: { elapsedMs: number | null; today: string },
): void {
  for (const old of replaced) countAnswer(turn, old, -1);
  countAnswer(turn, answer, 1);
  if (answer.countedOn === null) return;
  // Sets of visitors are deleted after their day.
  if (answer.countedOn === today) turn.statistics.countVisitor(today);
  if (elapsedMs !== null && answer.status === 'completed')
    turn.statistics.countDuration(answer.countedOn, bucketOf(elapsedMs));
}

/** Replaces all messages after the user's message with the draft. Returns the answers among them. */
async function replaceBranch(
  turn: ConversationTurn,
  { userMessageId }: MessageRow,
): Promise<CountedAnswer[]> {
  const gone = await turn.messages.deleteAfter(userMessageId ?? 0);
  const come = await turn.messages.promoteDrafts();
  const { messages, toolRecords } = turn.conversation;
  turn.change({
    messages: messages - gone.messages + come.messages,
    toolRecords: toolRecords - gone.toolRecords + come.toolRecords,
  });
  return gone.answers;
}

export const emptyEndOf = (messageId: number, end: AnswerEnd): EmptyEnd =>
  end.kind === 'stopped'
    ? { messageId, outcome: 'stopped' }
    : { messageId, outcome: 'failed', code: end.kind === 'failed' ? end.code : 'MODEL_BAD_ANSWER' };

async function removeAnswer(
  turn: ConversationTurn,
  message: MessageRow,
  end: AnswerEnd,
): Promise<AnswerState> {
  const { id: messageId } = message;
  if (message.draft) await turn.messages.deleteDrafts();
  else {
    await turn.messages.delete(messageId);
    turn.change({ messages: turn.conversation.messages - 1 });
  }
  const emptyEnd = emptyEndOf(messageId, end);
  turn.change({ activeMessageId: null, lastEmptyEnd: emptyEnd });
  return { kind: 'gone', end: emptyEnd };
}

/** Counts the credits of an answer. An answer without text or tool calls is free. */
export function charge(
  turn: Pick<ConversationTurn, 'charge'>,
  end: AnswerEnd,
  script: Script,
  nowMs: number,
): void {
  const { model, usage } = costOf(end, script);
  if (model === null || !saysSomething(script)) return;
  const { credits, inputTokens, outputTokens } = usage;
  turn.charge({
    day: dayOf(nowMs),
    model,
    credits,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
  });
}
