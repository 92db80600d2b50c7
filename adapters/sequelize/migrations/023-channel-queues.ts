import type { Migration } from './migration.js';

/**
 * Indexes to find accounts with due rows, and the events of a person. `is_cancelled` marks messages that were cancelled
 * while they were being sent; `look_at_ms` is the next look of an interrupted sync.
 */
export const channelQueues: Migration = {
  name: '023-channel-queues',
  up: ({ dropIndex }) => [
    'CREATE INDEX channel_events_queue ON channel_events (status, account_id, due_at_ms, lane)',
    'CREATE INDEX channel_messages_queue ON channel_messages (status, account_id, due_at_ms)',
    dropIndex('channel_events_account', 'channel_events'),
    dropIndex('channel_messages_account', 'channel_messages'),
    'CREATE INDEX channel_events_person ON channel_events (account_id, person_id)',
    'ALTER TABLE channel_messages ADD COLUMN is_cancelled BOOLEAN NOT NULL DEFAULT 0',
    'ALTER TABLE channel_profiles ADD COLUMN look_at_ms BIGINT NULL',
  ],
  down: ({ dropIndex }) => [
    'ALTER TABLE channel_profiles DROP COLUMN look_at_ms',
    'ALTER TABLE channel_messages DROP COLUMN is_cancelled',
    dropIndex('channel_events_person', 'channel_events'),
    'CREATE INDEX channel_events_account ON channel_events (account_id, status, due_at_ms)',
    'CREATE INDEX channel_messages_account ON channel_messages (account_id, status, due_at_ms)',
    dropIndex('channel_messages_queue', 'channel_messages'),
    dropIndex('channel_events_queue', 'channel_events'),
  ],
};
