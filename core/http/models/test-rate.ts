import { LRUCache } from 'lru-cache';
import { speak } from '../../conversations/speaking-rate.js';
import { invalidField } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';

const MAX_WORKSPACES = 20_000;
const LIMIT = { maxMessages: limits.modelTestsPerMinute, windowSeconds: 60, limitMessage: '' };

/** Counts a test of the workspace in this process. Throws 400 if it had too many in the last minute. */
export type CountModelTest = (workspaceId: string, nowMs: number) => void;

export function createModelTestRate(): CountModelTest {
  const tests = new LRUCache<string, number[]>({ max: MAX_WORKSPACES });
  return (workspaceId, nowMs) => {
    const counted = speak(tests.get(workspaceId) ?? [], nowMs, LIMIT);
    if ('retryAfterSeconds' in counted)
      throw invalidField(
        'model',
        `cannot be tested yet: a workspace has ${LIMIT.maxMessages} tests a minute; try again in ${counted.retryAfterSeconds} s`,
      );
    tests.set(workspaceId, counted.timesMs);
  };
}
