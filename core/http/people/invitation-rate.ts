import { speak } from '../../conversations/speaking-rate.js';
import { ApiError } from '../../errors/api-error.js';
import type { RecentEvents } from '../../ports/store/channels/recent-events.js';
import { limits } from '../../schemas/limits.js';

const SUBJECT = 'invitations';
const LIMIT = { maxMessages: limits.people.invitations, windowSeconds: 3600, limitMessage: '' };

/** Counts an invitation. Throws 503 if the workspace sent too many in the last hour, in all processes. */
export type CountInvitation = (workspaceId: string, nowMs: number) => Promise<void>;

export const createInvitationRate =
  (recentEvents: RecentEvents): CountInvitation =>
  (workspaceId, nowMs) =>
    recentEvents.change(workspaceId, SUBJECT, (timesMs) => {
      const counted = speak(timesMs, nowMs, LIMIT);
      if ('retryAfterSeconds' in counted)
        throw new ApiError('INTERNAL_SERVER_ERROR', {
          status: 503,
          message: `A workspace can invite ${LIMIT.maxMessages} people an hour. Nothing was changed; try again later.`,
          headers: { 'retry-after': String(counted.retryAfterSeconds) },
        });
      return counted.timesMs;
    });
