import type { AnswerOutcome } from '../../../schemas/answer-outcomes.js';
import type { PageRequest } from '../pages.js';
import type { Script } from './conversation-rows.js';

/**
 * Selects questions by their answers: by outcome, by rating or by both; a property that is null does not select. Both
 * bounds are inclusive, in Unix seconds.
 */
export interface QuestionFilter {
  outcome: Exclude<AnswerOutcome, 'answered'> | null;
  feedback: 'negative' | null;
  fromAt: number;
  toAt: number;
}

/** Equal questions of users, regardless of their exact wording. */
export interface QuestionGroup {
  /** Position in the list, for the next page. */
  id: string;
  count: number;
  /** The newest message of a user with this question. */
  messageId: number;
  conversationId: string;
  script: Script;
  createdAt: number;
  /** The newest answer with an outcome other than `answered`, or with a bad rating. */
  openId: number;
  /** The newest answer with the outcome `answered`, and its time; null if there is none. */
  answeredId: number | null;
  answeredAt: number | null;
  /** The newest message at the time the question was marked as resolved; null if it was not. */
  resolvedId: number | null;
}

/** Each call considers at most the newest 10,000 answers of the filter. */
export interface Questions {
  /** Returns up to `limit` + 1 groups strictly after the group `page.before`, most frequent first. */
  page(agentId: string, filter: QuestionFilter, page: PageRequest): Promise<QuestionGroup[]>;
  /** Returns the number of groups. */
  count(agentId: string, filter: QuestionFilter): Promise<number>;
  /** Marks a question as resolved until it is asked again. No effect if it was never asked. `at` is in Unix seconds. */
  resolve(agentId: string, questionHash: string, at: number): Promise<void>;
}
