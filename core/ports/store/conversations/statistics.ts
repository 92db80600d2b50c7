import type { AnswerOutcome } from '../../../schemas/answer-outcomes.js';
import type { Citation, Feedback } from './answer.js';

/*
 * Counters of an agent by day (`YYYY-MM-DD`, UTC). Turns update them in the same transaction as the counted rows, so
 * they are exact even after a crash. They remain when conversations are deleted.
 */

/**
 * `visitors` counts distinct users with a question on that day. `handoversTaken`: requests for a person that a person has
 * taken.
 */
export type DayCounter =
  | 'conversations'
  | 'questions'
  | 'visitors'
  | 'contacts'
  | 'handoverRequests'
  | 'handoversTaken'
  | AnswerOutcome
  | Feedback;

/** The properties of an answer that the statistics count. */
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
  /** `bucket` is the index in a histogram of durations. */
  countDuration(day: string, bucket: number): void;
  /** Counts the time from a request for a person until it was taken; `bucket` as for durations. */
  countWait(day: string, bucket: number): void;
  /** Counts the conversation's user as a visitor, at most once per day. No effect without a user. */
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

/** Reads statistics of the days from `from` to `to`, both inclusive. */
export interface StatisticsReads {
  /** Returns the counters that are not zero, in any order. */
  days(agentId: string, from: string, to: string): Promise<DayCount[]>;
  /** Returns the most cited documents that still exist, most cited first. */
  topSources(agentId: string, from: string, to: string, limit: number): Promise<CitedSource[]>;
  /** Returns the number of conversations in which a visitor waits for a person, up to 10,000. */
  waiting(agentId: string): Promise<number>;
  /** Returns the number of answers per bucket of their duration, in ascending order. */
  durations(agentId: string, from: string, to: string): Promise<{ bucket: number; n: number }[]>;
  /** Returns the number of taken requests for a person per bucket of their wait, in ascending order. */
  waits(agentId: string, from: string, to: string): Promise<{ bucket: number; n: number }[]>;
}
