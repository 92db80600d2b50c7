import type { AnswerOutcome } from '../../schemas/answer-outcomes.js';
import type { JsonObject } from '../../schemas/json.js';
import type { MailChoices } from './people/members.js';

/** A member that may get e-mails about agents: active, with a proven address. */
export interface MailedMember {
  id: string;
  userId: string;
  email: string;
  name: string;
  workspaceId: string;
  workspaceName: string;
  /** IANA name. */
  timeZone: string;
  /** Agents to which the member is limited; null for all. */
  agentIds: string[] | null;
  notifications: MailChoices;
}

export interface MailedAgent {
  id: string;
  name: string;
  /** The settings that were set, of all groups. */
  settings: JsonObject;
}

/** Unix seconds, `to` exclusive. */
export interface Span {
  from: number;
  to: number;
}

export interface DailyConversation {
  id: string;
  agentId: string;
  /** Unix seconds. */
  createdAt: number;
  /** The first message of the user. */
  question: string;
  /** The worst of its answers; null if none has an outcome. */
  outcome: AnswerOutcome | null;
  /** Negative if any answer was rated so. */
  rating: 'positive' | 'negative' | null;
}

/** Figures of one agent. */
export interface DailyFigures {
  agentId: string;
  outcomes: Record<AnswerOutcome, number>;
  negative: number;
  /** Contacts that visitors have left. */
  contacts: number;
  /** Sources that could not be read. */
  failedSources: number;
}

export interface OpenQuestionOfDay {
  agentId: string;
  question: string;
  count: number;
}

/** Reads for the daily e-mails. */
export interface DailyMails {
  /** Returns a page of all members that may get e-mails, by id. */
  members(after: string, limit: number): Promise<MailedMember[]>;
  member(memberId: string): Promise<MailedMember | null>;
  agents(workspaceId: string): Promise<MailedAgent[]>;
  /** Returns the first `limit` conversations that began in the span, and the number of all. */
  conversations(
    agentIds: readonly string[],
    span: Span,
    limit: number,
  ): Promise<{ rows: DailyConversation[]; total: number }>;
  /** Returns the figures of the agents that have any. */
  figures(agentIds: readonly string[], span: Span): Promise<DailyFigures[]>;
  /** Returns the unanswered questions that were asked most. */
  openQuestions(agentIds: readonly string[], span: Span, limit: number): Promise<OpenQuestionOfDay[]>;
}
