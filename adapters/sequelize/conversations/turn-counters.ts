import type { ConversationTurn } from '../../../core/ports/store/conversations.js';
import { forUpdate, onDuplicate } from '../database/dialect.js';
import { insertRow, type Values } from '../database/row-statements.js';
import type { ConversationScope } from './turn-scope.js';

const SHARDS = 16;

/** A conversation always uses the same shard, so that its decrements match its increments. */
const shardOf = (conversationId: string): number => Number.parseInt(conversationId.slice(-1), 16) % SHARDS;

type Charge = Parameters<ConversationTurn['charge']>[0];

/** Counters shared by many conversations. They are written at the end of the turn. */
export function turnCounters({ dialect, conversation, select, defer }: ConversationScope) {
  let conversations = 0;
  let bytes = 0;
  const charges: Charge[] = [];

  /** Inserts the row, or updates the row with this key. */
  function upsert(
    table: string,
    key: Values,
    values: Values,
    update?: (column: string, inserted: string) => string,
  ) {
    const [insert, params] = insertRow(table, { ...key, ...values });
    const end = onDuplicate(dialect, Object.keys(key), Object.keys(values), update);
    defer(`${insert} ${end}`, params);
  }
  const addTo =
    (table: string) =>
    (column: string, inserted: string): string =>
      `${table}.${column} + ${inserted}`;

  return {
    countConversation(by: 1 | -1): void {
      conversations += by;
    },
    countBytes(by: number): void {
      bytes += by;
    },
    charge(entry: Charge): void {
      charges.push(entry);
    },
    async spoken(subject: string): Promise<number[]> {
      const { agentId } = conversation();
      // Creates the row if needed; locks it in both cases.
      upsert(
        'chat_subjects',
        { agent_id: agentId, subject },
        { spoken_at_ms: 0, spoken_ms: '[]' },
        (column) => `chat_subjects.${column}`,
      );
      const [row] = await select(
        `SELECT spoken_ms FROM chat_subjects WHERE agent_id = ? AND subject = ?${forUpdate(dialect)}`,
        [agentId, subject],
      );
      return JSON.parse((row?.spoken_ms as string | undefined) ?? '[]');
    },
    async writeSpoken(subject: string, timesMs: number[]): Promise<void> {
      upsert(
        'chat_subjects',
        { agent_id: conversation().agentId, subject },
        { spoken_at_ms: timesMs.at(-1) ?? 0, spoken_ms: JSON.stringify(timesMs) },
      );
    },
    write(): void {
      const { id, agentId, workspaceId, source } = conversation();
      const shard = shardOf(id);
      if (conversations !== 0 || bytes !== 0)
        upsert(
          'conversation_counts',
          { agent_id: agentId, source, shard },
          { conversations, bytes },
          addTo('conversation_counts'),
        );
      for (const { day, model, credits, inputTokens, outputTokens } of charges)
        upsert(
          'credit_counts',
          { workspace_id: workspaceId, counted_on: day, agent_id: agentId, model, shard },
          { answers: 1, credits, input_tokens: inputTokens, output_tokens: outputTokens },
          addTo('credit_counts'),
        );
    },
  };
}
