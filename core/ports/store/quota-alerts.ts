import type { MailedMember } from './daily-mails.js';
import type { NewMail } from './mails.js';
import type { Workspace } from './workspaces.js';

export const mailedAllowances = ['agents', 'storageBytes', 'members', 'visitorMessages'] as const;
export type MailedAllowance = (typeof mailedAllowances)[number];

export interface QuotaAlert {
  allowance: MailedAllowance;
  percent: number;
  /** Unix seconds. */
  since: number;
}

export interface WorkspaceUsage {
  workspace: Workspace;
  used: Record<MailedAllowance, number>;
  /** Warnings that were mailed. */
  alerts: QuotaAlert[];
}

/** Warnings about allowances, and the usage on which they depend. */
export interface QuotaAlerts {
  /** Returns a page of the workspaces with an admin for e-mails, by id. `day`: UTC, `YYYY-MM-DD`. */
  usage(day: string, after: string, limit: number): Promise<WorkspaceUsage[]>;
  /** Returns the admins and owners for e-mails, without members limited to agents. */
  admins(workspaceId: string): Promise<MailedMember[]>;
  /** Stores warnings, the highest first, with the e-mails about it, unless another process has stored the highest. */
  begin(workspaceId: string, alerts: readonly QuotaAlert[], mails: readonly NewMail[]): Promise<void>;
  /** Deletes the warnings about an allowance that are older than this second. */
  end(workspaceId: string, allowance: MailedAllowance, before: number): Promise<void>;
}
