import type {
  BoundKey,
  ConversationRow,
  CreditCount,
  CreditTotals,
  EmptyEnd,
  MessageRow,
  NewMessage,
  QueuedRequest,
  Script,
  ToolCallRow,
  ToolCallStanding,
  ToolResult,
} from '../../../core/ports/store/conversations.js';
import type { Row } from '../database/connection.js';

/** Rows of conversations to what core knows, and back: engines differ in how they give back numbers and booleans. */

const number = (value: unknown): number => Number(value);
const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);
const orNull = <T>(value: unknown): T | null => (value as T | null) ?? null;
const json = <T>(value: unknown): T => JSON.parse(value as string) as T;
const jsonOrNull = <T>(value: unknown): T | null =>
  value === null || value === undefined ? null : json<T>(value);

export const conversationOf = (row: Row): ConversationRow => ({
  id: row.id as string,
  agentId: row.agent_id as string,
  workspaceId: row.workspace_id as string,
  source: row.source as ConversationRow['source'],
  userId: orNull(row.user_id),
  title: orNull(row.title),
  messages: number(row.messages),
  toolRecords: number(row.tool_records),
  createdAt: number(row.created_at),
  updatedAt: number(row.updated_at),
  activeMessageId: numberOrNull(row.active_message_id),
  lastEmptyEnd: jsonOrNull<EmptyEnd>(row.last_empty_end),
});

export const conversationColumns = (row: Partial<ConversationRow>) => ({
  ...row,
  ...(row.lastEmptyEnd === undefined
    ? {}
    : { lastEmptyEnd: row.lastEmptyEnd === null ? null : JSON.stringify(row.lastEmptyEnd) }),
});

/** All but the tools: those may be half a megabyte, and only who answers needs them. */
export const messageColumns = `id, conversation_id, role, status, draft, script, created_at, user_message_id, finish_reason, model,
  answer_usage, citations, error_code, feedback, feedback_comment, lease_token, lease_until_ms`;

export const messageOf = (row: Row): MessageRow => ({
  id: number(row.id),
  conversationId: row.conversation_id as string,
  role: row.role as MessageRow['role'],
  status: row.status as MessageRow['status'],
  draft: Boolean(row.draft),
  script: json<Script>(row.script),
  createdAt: number(row.created_at),
  userMessageId: numberOrNull(row.user_message_id),
  finishReason: orNull(row.finish_reason),
  model: orNull(row.model),
  usage: jsonOrNull(row.answer_usage),
  citations: jsonOrNull(row.citations),
  errorCode: orNull(row.error_code),
  feedback: orNull(row.feedback),
  feedbackComment: orNull(row.feedback_comment),
  lease:
    row.lease_until_ms === null || row.lease_until_ms === undefined
      ? null
      : { token: row.lease_token as string, untilMs: number(row.lease_until_ms) },
});

const jsonColumn = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** A message, or what changes of it, as the model writes it. */
export const messageWrite = ({ script, usage, citations, lease, tools, ...rest }: Partial<NewMessage>) => ({
  ...rest,
  ...(script === undefined ? {} : { script: JSON.stringify(script) }),
  ...(usage === undefined ? {} : { answerUsage: jsonColumn(usage) }),
  ...(citations === undefined ? {} : { citations: jsonColumn(citations) }),
  ...(tools === undefined ? {} : { tools: tools.length === 0 ? null : JSON.stringify(tools) }),
  ...(lease === undefined ? {} : { leaseToken: lease?.token ?? null, leaseUntilMs: lease?.untilMs ?? null }),
});

export const toolCallStandingOf = (row: Row): ToolCallStanding => ({
  id: row.id as string,
  state: row.state as ToolCallRow['state'],
  expiresAt: number(row.expires_at),
});

export const toolCallOf = (row: Row): ToolCallRow => ({
  ...toolCallStandingOf(row),
  messageId: number(row.message_id),
  conversationId: row.conversation_id as string,
  toolName: row.tool_name as string,
  input: json(row.input),
  result: jsonOrNull<ToolResult>(row.result),
});

export const queuedRequestOf = (row: Row): QueuedRequest => ({
  ticket: number(row.ticket),
  keyHash: orNull(row.key_hash),
});

export const keyOf = (row: Row): BoundKey => ({
  keyHash: row.key_hash as string,
  fingerprint: row.fingerprint as string,
  conversationId: row.conversation_id as string,
  userMessageId: number(row.user_message_id),
  messageId: number(row.message_id),
  createdAt: number(row.created_at),
});

/** Null where nothing was counted. */
const sum = (value: unknown): number => (value === null || value === undefined ? 0 : number(value));

export const creditTotalsOf = (row: Row): CreditTotals => ({
  answers: sum(row.answers),
  credits: sum(row.credits),
  inputTokens: sum(row.input_tokens),
  outputTokens: sum(row.output_tokens),
});

export const creditOf = (row: Row): CreditCount => ({
  agentId: row.agent_id as string,
  model: row.model as string,
  day: row.counted_on as string,
  ...creditTotalsOf(row),
});
