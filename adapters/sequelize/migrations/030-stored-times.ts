import type { Migration } from './migration.js';

/** Finds pauses of social conversations that end too late. */
export const pausedThreads: Migration = {
  name: '030-paused-threads',
  up: () => ['CREATE INDEX channel_threads_paused ON channel_threads (paused_until_ms)'],
  down: ({ dropIndex }) => [dropIndex('channel_threads_paused', 'channel_threads')],
};
