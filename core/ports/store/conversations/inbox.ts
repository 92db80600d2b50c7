import type { PageRequest } from '../pages.js';
import type { ConversationRow, ConversationState, MessageRow } from './conversation-rows.js';

/** A member or an API key that answers conversations. */
export interface Reader {
  type: 'user' | 'key';
  id: string;
  workspaceId: string;
}

export interface InboxFilter {
  workspaceId: string;
  /** Agents of the workspace that the reader may see; null for all of them. */
  agentIds: readonly string[] | null;
  states: readonly ConversationState[];
  /** Id of a member or of an API key; null for conversations without an assignee. */
  assigneeId?: string | null | undefined;
}

/** An item of the inbox. */
export interface InboxRow {
  /** Place in the order of the inbox; the list continues after it. */
  place: string;
  conversation: ConversationRow;
  /** The newest complete message of the user, the agent or a person; null without any. */
  lastMessage: MessageRow | null;
}

/** A conversation of the inbox that was changed. */
export interface InboxChange {
  conversationId: string;
  agentId: string;
  workspaceId: string;
  /** Unix milliseconds. Increases with each change of the conversation. */
  changedAtMs: number;
}

export interface InboxReads {
  /**
   * Returns up to `limit` + 1 conversations after the place `page.before`: first waiting visitors, the longest wait
   * first, then the others, the latest change of the state first.
   */
  page(filter: InboxFilter, page: PageRequest, nowMs: number): Promise<InboxRow[]>;
  /** Counts conversations, up to 10,000. */
  count(filter: InboxFilter, nowMs: number): Promise<number>;
  /** Returns the time of the latest change in the installation; 0 without any. */
  lastChangedAtMs(): Promise<number>;
  /** Returns conversations that were changed after `afterMs`, in the order of their changes. */
  changes(
    after: { changedAtMs: number; conversationId: string },
    limit: number,
    workspaceId?: string,
  ): Promise<InboxChange[]>;
}

export interface InboxReaders {
  /** Records that these readers have the inbox open. `now` in Unix seconds. */
  touch(readers: readonly Reader[], now: number): Promise<void>;
  /**
   * Returns whether the inbox was open since then to a reader with the right to answer this agent's conversations. Members
   * that are away do not count.
   */
  isAnyAvailable(agent: { id: string; workspaceId: string }, since: number): Promise<boolean>;
  /** Deletes readers whose inbox was not open since then. */
  forget(before: number): Promise<void>;
}

export interface InboxSweeps {
  /** Returns conversations whose pause of the agent has ended at this time. */
  endedPauses(nowMs: number, limit: number): Promise<string[]>;
  /** Returns conversations that were taken before this second, with an unanswered message from before it. */
  unanswered(before: number, limit: number): Promise<string[]>;
  /** Returns conversations whose assignee may no longer answer them. */
  withoutAssignee(limit: number): Promise<{ id: string; assigneeId: string }[]>;
  /**
   * Returns conversations without a message since this second that people answer, or may answer. Not those of social
   * platforms that are paused, because their pause has an end of its own.
   */
  silent(before: number, limit: number): Promise<string[]>;
}

/** The inbox: conversations that people answer, or may answer. */
export interface Inbox {
  reads: InboxReads;
  readers: InboxReaders;
  sweeps: InboxSweeps;
}
