import type { LineChanges } from '../../../knowledge/text/line-changes.js';

/** A change of the text of a page. */
export interface PageChange extends LineChanges {
  id: string;
  /** Unix seconds. */
  at: number;
}

export interface PageChanges {
  /** Returns the changes of a page since this second, newest first. */
  of(agentId: string, documentId: string, since: number): Promise<PageChange[]>;
  /** Deletes some changes before this second. Returns whether there may be more. */
  forget(before: number): Promise<boolean>;
}
