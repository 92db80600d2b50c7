import type { MailedMember } from './daily-mails.js';

/** An agent with waiting visitors or new contact details. */
export interface ActiveAgent {
  id: string;
  name: string;
  workspaceId: string;
}

export interface WaitingConversation {
  conversationId: string;
  title: string | null;
  /** Unix seconds. */
  waitingSince: number;
}

/** The last e-mail to a member about an agent. */
export interface LastHandoverMail {
  memberId: string;
  /** Unix seconds. */
  mailedAt: number;
  /** Requests and contact details up to this second were mailed. */
  coversUntil: number;
}

/** Reads and marks for e-mails about waiting visitors for a person. Times are Unix seconds. */
export interface HandoverMails {
  /** Returns agents with a request that became open after `since`, or with contact details from after it. */
  active(since: number): Promise<ActiveAgent[]>;
  /** Returns open requests, the longest wait first. */
  waiting(agentId: string, limit: number): Promise<WaitingConversation[]>;
  /** Returns when the newest open request up to `until` was made; null without one. */
  newestRequest(agentId: string, until: number): Promise<number | null>;
  /** Returns the times of contact details after `since`. */
  contactsSince(agentId: string, since: number): Promise<number[]>;
  /** Returns the members of a workspace that may get these e-mails and are not away. */
  members(workspaceId: string): Promise<MailedMember[]>;
  last(agentId: string): Promise<LastHandoverMail[]>;
  mark(agentId: string, mail: LastHandoverMail): Promise<void>;
  /** Stores that an address wants no e-mails of this workspace; `hash` is an HMAC of the address. */
  stop(workspaceId: string, hash: string): Promise<void>;
}
