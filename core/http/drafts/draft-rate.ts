import { ApiError } from '../../errors/api-error.js';
import type { RecentEvents } from '../../ports/store/channels/recent-events.js';
import { limits } from '../../schemas/limits.js';
import { createWorkspaceRate } from '../limits/workspace-rate.js';

const most = limits.drafts.messages;

/** Returns a function that counts a message to a draft. It throws 503 if the workspace sent too many in the last minute. */
export const createDraftRate = (recentEvents: RecentEvents) =>
  createWorkspaceRate(recentEvents, {
    subject: 'drafts',
    most,
    windowSeconds: 60,
    refusal: (seconds) =>
      new ApiError('INTERNAL_SERVER_ERROR', {
        status: 503,
        message: `A workspace can ask drafts ${most} times a minute. Try again later.`,
        headers: { 'retry-after': String(seconds) },
      }),
  });
