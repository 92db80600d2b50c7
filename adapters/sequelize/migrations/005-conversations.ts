import type { Migration } from './migration.js';

const indexes: Record<string, string> = {
  conversations_agent: 'conversations (agent_id, id)',
  conversations_source: 'conversations (agent_id, source, id)',
  conversations_user: 'conversations (agent_id, user_id, id)',
  conversations_age: 'conversations (updated_at)',
  messages_conversation: 'messages (conversation_id, draft, id)',
  messages_agent: 'messages (agent_id, lease_until_ms)',
  messages_lease: 'messages (lease_until_ms)',
  tool_calls_message: 'tool_calls (message_id)',
  tool_calls_conversation: 'tool_calls (conversation_id)',
  conversation_seats_conversation: 'conversation_seats (conversation_id, ticket)',
  chat_keys_age: 'chat_keys (created_at)',
  chat_subjects_age: 'chat_subjects (spoken_at_ms)',
  answer_stops_age: 'answer_stops (asked_at_ms)',
};

/**
 * Conversations and their rows. Message ids are one sequence. Counters of an agent are sharded, so that two
 * conversations do not wait for each other.
 */
export const conversations: Migration = {
  name: '005-conversations',
  up: ({ id, ascii, text, long, sequence, table }) => [
    `CREATE TABLE conversations (id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, workspace_id ${id} NOT NULL, source ${ascii(16)} NOT NULL,
      user_id ${ascii(128)} NULL, title ${text(100)} NULL, messages INTEGER NOT NULL, tool_records INTEGER NOT NULL, created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL, active_message_id BIGINT NULL, last_empty_end ${text(255)} NULL) ${table}`,
    `CREATE TABLE messages (id ${sequence}, conversation_id ${id} NOT NULL, agent_id ${id} NOT NULL, role ${ascii(16)} NOT NULL,
      status ${ascii(16)} NOT NULL, draft BOOLEAN NOT NULL, script ${long} NOT NULL, tools ${long} NULL, created_at BIGINT NOT NULL,
      user_message_id BIGINT NULL, finish_reason ${ascii(16)} NULL, model ${text(255)} NULL, answer_usage ${text(255)} NULL, citations ${long} NULL,
      error_code ${ascii(64)} NULL, feedback ${ascii(16)} NULL, feedback_comment ${text(2000)} NULL, lease_token ${ascii(64)} NULL,
      lease_until_ms BIGINT NULL) ${table}`,
    `CREATE TABLE tool_calls (id ${ascii(64)} PRIMARY KEY, message_id BIGINT NOT NULL, conversation_id ${id} NOT NULL, tool_name ${ascii(64)} NOT NULL,
      input ${long} NOT NULL, state ${ascii(16)} NOT NULL, expires_at BIGINT NOT NULL, result ${long} NULL) ${table}`,
    `CREATE TABLE conversation_seats (ticket ${sequence}, conversation_id ${id} NOT NULL, key_hash ${ascii(64)} NULL,
      lease_until_ms BIGINT NOT NULL) ${table}`,
    `CREATE TABLE chat_keys (agent_id ${id} NOT NULL, key_hash ${ascii(64)} NOT NULL, fingerprint ${ascii(64)} NOT NULL, conversation_id ${id} NOT NULL,
      user_message_id BIGINT NOT NULL, message_id BIGINT NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (agent_id, key_hash)) ${table}`,
    `CREATE TABLE chat_subjects (agent_id ${id} NOT NULL, subject ${ascii(512)} NOT NULL, spoken_ms ${text(2000)} NOT NULL,
      spoken_at_ms BIGINT NOT NULL, PRIMARY KEY (agent_id, subject)) ${table}`,
    `CREATE TABLE answer_stops (message_id BIGINT PRIMARY KEY, asked_at_ms BIGINT NOT NULL) ${table}`,
    `CREATE TABLE conversation_counts (agent_id ${id} NOT NULL, source ${ascii(16)} NOT NULL, shard INTEGER NOT NULL, conversations INTEGER NOT NULL,
      PRIMARY KEY (agent_id, source, shard)) ${table}`,
    `CREATE TABLE credit_counts (workspace_id ${id} NOT NULL, counted_on ${ascii(16)} NOT NULL, agent_id ${id} NOT NULL, model ${ascii(128)} NOT NULL,
      shard INTEGER NOT NULL, answers BIGINT NOT NULL, credits DOUBLE PRECISION NOT NULL, input_tokens BIGINT NOT NULL,
      output_tokens BIGINT NOT NULL, PRIMARY KEY (workspace_id, counted_on, agent_id, model, shard)) ${table}`,
    ...Object.entries(indexes).map(([name, columns]) => `CREATE INDEX ${name} ON ${columns}`),
  ],
  down: () =>
    [
      'credit_counts',
      'conversation_counts',
      'answer_stops',
      'chat_subjects',
      'chat_keys',
      'conversation_seats',
      'tool_calls',
      'messages',
      'conversations',
    ].map((name) => `DROP TABLE ${name}`),
};
