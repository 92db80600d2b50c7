import { ApiError } from '../../errors/api-error.js';
import type { RecentEvents } from '../../ports/store/channels/recent-events.js';
import { limits } from '../../schemas/limits.js';
import { createWorkspaceRate } from '../limits/workspace-rate.js';

const most = limits.people.invitations;

/** Returns a function that counts an invitation. It throws 503 if the workspace sent too many in the last hour. */
export const createInvitationRate = (recentEvents: RecentEvents) =>
  createWorkspaceRate(recentEvents, {
    subject: 'invitations',
    most,
    windowSeconds: 3600,
    refusal: (seconds) =>
      new ApiError('INTERNAL_SERVER_ERROR', {
        status: 503,
        message: `A workspace can invite ${most} people an hour. Nothing was changed; try again later.`,
        headers: { 'retry-after': String(seconds) },
      }),
  });
