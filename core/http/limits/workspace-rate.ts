import { speak } from '../../conversations/speaking-rate.js';
import type { ApiError } from '../../errors/api-error.js';
import type { RecentEvents } from '../../ports/store/channels/recent-events.js';

interface WorkspaceRate {
  /** Names what is counted. */
  subject: string;
  most: number;
  windowSeconds: number;
  /** The error if there were too many. */
  refusal: (retryAfterSeconds: number) => ApiError;
}

/** Counts an action of a workspace, in all processes. Throws the refusal if there were too many in the window. */
export type CountInWorkspace = (workspaceId: string, nowMs: number) => Promise<void>;

export function createWorkspaceRate(
  recentEvents: RecentEvents,
  { subject, most, windowSeconds, refusal }: WorkspaceRate,
): CountInWorkspace {
  const limit = { maxMessages: most, windowSeconds, limitMessage: '' };
  return (workspaceId, nowMs) =>
    recentEvents.change(workspaceId, subject, (timesMs) => {
      const counted = speak(timesMs, nowMs, limit);
      if ('retryAfterSeconds' in counted) throw refusal(counted.retryAfterSeconds);
      return counted.timesMs;
    });
}
