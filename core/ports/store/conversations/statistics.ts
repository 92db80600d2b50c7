import type { AnswerOutcome } from '../../../schemas/answer-outcomes.js';
import type { Citation, Feedback } from './answer.js';

/*
 * Counters of an agent by day (`YYYY-MM-DD`, UTC). They are written in the turns that they count, so that they are
 * exact after a crash, and stay when conversations are deleted.
 */

/** `visitors`: distinct users with a question on that day. */
export type DayCounter = 'conversations' | 'questions' | 'visitors' | AnswerOutcome | Feedback;

/** What the statistics count of an answer. */
export interface CountedAnswer {
  userMessageId: number | null;
  countedOn: string | null;
  outcome: AnswerOutcome | null;
  feedback: Feedback | null;
  citations: Citation[] | null;
}

/** Adds to the counters of the conversation's agent when the turn ends. */
export interface TurnStatistics {
  count(day: string, counter: DayCounter, by: number): void;
  countCitations(day: string, documentId: string, by: number): void;
  /** `bucket`: index in a histogram of durations. */
  countDuration(day: string, bucket: number): void;
  /** Counts the conversation's user as a visitor of the day, once a day. Nothing for a conversation without user. */
  countVisitor(day: string): void;
}

export interface DayCount {
  day: string;
  counter: DayCounter;
  n: number;
}

export interface CitedSource {
  documentId: string;
  title: string;
  citations: number;
}

/** Reads of the days from `from` to `to`, both inclusive. */
export interface StatisticsReads {
  /** Counters that are not zero, in any order. */
  days(agentId: string, from: string, to: string): Promise<DayCount[]>;
  /** The documents that were cited most, best first, without deleted ones. */
  topSources(agentId: string, from: string, to: string, limit: number): Promise<CitedSource[]>;
  /** Number of answers by bucket of their duration, in ascending order. */
  durations(agentId: string, from: string, to: string): Promise<{ bucket: number; n: number }[]>;
}
