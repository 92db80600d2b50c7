import { speak } from '../../conversations/speaking-rate.js';
import { invalidField } from '../../errors/api-error.js';
import type { RecentEvents } from '../../ports/store/channels/recent-events.js';
import { limits } from '../../schemas/limits.js';

const SUBJECT = 'model-tests';
const LIMIT = { maxMessages: limits.modelTestsPerMinute, windowSeconds: 60, limitMessage: '' };

/** Counts a test of the workspace. Throws 400 if the workspace made too many in the last minute, in all processes. */
export type CountModelTest = (workspaceId: string, nowMs: number) => Promise<void>;

export const createModelTestRate =
  (recentEvents: RecentEvents): CountModelTest =>
  (workspaceId, nowMs) =>
    recentEvents.change(workspaceId, SUBJECT, (timesMs) => {
      const counted = speak(timesMs, nowMs, LIMIT);
      if ('retryAfterSeconds' in counted)
        throw invalidField(
          'model',
          `cannot be tested yet: a workspace can make ${LIMIT.maxMessages} tests a minute; try again in ${counted.retryAfterSeconds} s`,
        );
      return counted.timesMs;
    });
