import type { ConversationRow } from '../../../core/ports/store/conversations/conversation-rows.js';
import type {
  ConversationTurn,
  SubjectOwner,
} from '../../../core/ports/store/conversations/conversations.js';
import { upsert } from '../database/upsert.js';
import { numbersOf, readSubject, touchSubject, writeSubject } from '../rows/subject-rows.js';
import type { ConversationScope } from './turn-scope.js';

const SHARDS = 16;

/** Returns the shard of a conversation's counters. It never changes, so that decrements match earlier increments. */
export const shardOf = (conversationId: string, shards = SHARDS): number =>
  Number.parseInt(conversationId.slice(-1), 16) % shards;

type Charge = Parameters<ConversationTurn['charge']>[0];

interface CounterScope extends Pick<ConversationScope, 'dialect' | 'select' | 'defer'> {
  conversation(): Pick<ConversationRow, 'id' | 'agentId' | 'workspaceId' | 'source'>;
}

/** Counters shared by many conversations. They are written at the end of the turn. */
export function turnCounters({ dialect, conversation, select, defer }: CounterScope) {
  let conversations = 0;
  let bytes = 0;
  const charges: Charge[] = [];
  const plus = (column: string, added: string) => `${column} + ${added}`;
  const visitorMessages: string[] = [];
  const ownerOf = (owner: SubjectOwner): string =>
    owner === 'agent' ? conversation().agentId : conversation().workspaceId;

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
    countVisitorMessage(day: string): void {
      visitorMessages.push(day);
    },
    async spoken(subject: string, owner: SubjectOwner = 'agent'): Promise<number[]> {
      const ownerId = ownerOf(owner);
      defer(...touchSubject(dialect, ownerId, subject));
      const [row] = await select(...readSubject(dialect, ownerId, subject));
      return numbersOf(row);
    },
    async writeSpoken(
      subject: string,
      numbers: number[],
      { owner = 'agent', atMs }: NonNullable<Parameters<ConversationTurn['writeSpoken']>[2]> = {},
    ): Promise<void> {
      defer(...writeSubject(dialect, ownerOf(owner), subject, { numbers, atMs }));
    },
    write(): void {
      const { id, agentId, workspaceId, source } = conversation();
      if (conversations !== 0 || bytes !== 0) {
        defer(
          upsert(
            dialect,
            'conversation_counts',
            ['agent_id', 'source', 'shard'],
            ['conversations', 'bytes', 'workspace_id'],
            (column, added) => (column.endsWith('.workspace_id') ? added : plus(column, added)),
          ),
          [agentId, source, shardOf(id), conversations, bytes, workspaceId],
        );
      }
      for (const day of visitorMessages)
        defer(
          upsert(dialect, 'visitor_counts', ['workspace_id', 'counted_on', 'shard'], ['messages'], plus),
          [workspaceId, day, shardOf(id), 1],
        );
      for (const { day, model, credits, inputTokens, outputTokens } of charges) {
        defer(
          upsert(
            dialect,
            'credit_counts',
            ['workspace_id', 'counted_on', 'agent_id', 'model', 'shard'],
            ['answers', 'credits', 'input_tokens', 'output_tokens'],
            plus,
          ),
          [workspaceId, day, agentId, model, shardOf(id), 1, credits, inputTokens, outputTokens],
        );
      }
    },
  };
}
