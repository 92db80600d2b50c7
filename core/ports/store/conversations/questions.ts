import type { AnswerOutcome } from '../../../schemas/answer-outcomes.js';
import type { PageRequest } from '../pages.js';
import type { Script } from './conversations.js';

/** Questions whose answer had this outcome and was created in this time, both inclusive, in Unix seconds. */
export interface QuestionFilter {
  outcome: Exclude<AnswerOutcome, 'answered'>;
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
  /** The newest answer without `answered`. */
  openId: number;
  /** The newest answer with `answered`, and its time; null without such an answer. */
  answeredId: number | null;
  answeredAt: number | null;
  /** The newest message when the question was marked as resolved; null if it was not. */
  resolvedId: number | null;
}

/** Each call considers at most the newest 10,000 answers of the filter. */
export interface Questions {
  /** Most frequent first, strictly after the group `page.before`, up to `limit` + 1. */
  page(agentId: string, filter: QuestionFilter, page: PageRequest): Promise<QuestionGroup[]>;
  /** Number of groups. */
  count(agentId: string, filter: QuestionFilter): Promise<number>;
  /** Marks a question as resolved until it is asked again. Without effect on a question that was never asked. `at` in Unix seconds. */
  resolve(agentId: string, questionHash: string, at: number): Promise<void>;
}
