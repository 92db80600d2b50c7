import { invalidField } from '../../errors/api-error.js';
import type { RecentEvents } from '../../ports/store/channels/recent-events.js';
import { limits } from '../../schemas/limits.js';
import { createWorkspaceRate } from '../limits/workspace-rate.js';

const most = limits.modelTestsPerMinute;

/** Returns a function that counts a test of a model. It throws 400 if the workspace made too many in the last minute. */
export const createModelTestRate = (recentEvents: RecentEvents) =>
  createWorkspaceRate(recentEvents, {
    subject: 'model-tests',
    most,
    windowSeconds: 60,
    refusal: (seconds) =>
      invalidField(
        'model',
        `cannot be tested yet: a workspace can make ${most} tests a minute; try again in ${seconds} s`,
      ),
  });
