import type { Migration } from './migration.js';

/** Indexes for the sweep that corrects stored times which lie too far ahead. */
export const storedTimes: Migration = {
  name: '030-stored-times',
  up: () => [
    'CREATE INDEX channel_threads_paused ON channel_threads (paused_until_ms)',
    'CREATE INDEX document_vectors_due ON document_vectors (due_at)',
    'CREATE INDEX tool_calls_expiry ON tool_calls (expires_at)',
  ],
  down: ({ dropIndex }) => [
    dropIndex('tool_calls_expiry', 'tool_calls'),
    dropIndex('document_vectors_due', 'document_vectors'),
    dropIndex('channel_threads_paused', 'channel_threads'),
  ],
};
