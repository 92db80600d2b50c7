import type { Migration } from './migration.js';

const tables = ['messages', 'tool_calls', 'conversations', 'conversation_counts'];

const sumOf = (table: string): string =>
  `COALESCE((SELECT SUM(${table}.bytes) FROM ${table} WHERE ${table}.conversation_id = conversations.id), 0)`;

/** The last digit of a conversation's id selects its shard. */
const ofShard = `SELECT SUM(conversations.bytes) FROM conversations WHERE conversations.agent_id = conversation_counts.agent_id
  AND conversations.source = conversation_counts.source
  AND SUBSTR(conversations.id, -1) = SUBSTR('0123456789abcdef', conversation_counts.shard + 1, 1)`;

/** Stored bytes of messages, tool calls and conversations, and their sums in the agent's counters. */
export const conversationBytes: Migration = {
  name: '015-conversation-bytes',
  up: () => [
    ...tables.map((table) => `ALTER TABLE ${table} ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0`),
    {
      table: 'messages',
      key: 'id',
      set: 'bytes = OCTET_LENGTH(script) + COALESCE(OCTET_LENGTH(tools), 0) + COALESCE(OCTET_LENGTH(citations), 0)',
    },
    {
      table: 'tool_calls',
      key: 'id',
      set: 'bytes = OCTET_LENGTH(input) + COALESCE(OCTET_LENGTH(result), 0)',
    },
    'CREATE INDEX messages_bytes ON messages (conversation_id, bytes)',
    { table: 'conversations', key: 'id', set: `bytes = ${sumOf('messages')} + ${sumOf('tool_calls')}` },
    { table: 'conversation_counts', key: 'agent_id', set: `bytes = COALESCE((${ofShard}), 0)` },
  ],
  down: ({ dropIndex }) => [
    dropIndex('messages_bytes', 'messages'),
    ...tables.map((table) => `ALTER TABLE ${table} DROP COLUMN bytes`),
  ],
};
