import { Type } from '@sinclair/typebox';
import {
  conversationSources,
  conversationStates,
} from '../../ports/store/conversations/conversation-rows.js';
import { answerOutcomes } from '../../schemas/answer-outcomes.js';
import type { JsonObject, JsonValue } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { models } from '../../schemas/models.js';
import { listOf, nullable, oneOf, pageQuery, pagination, unixSeconds, uuid } from '../../schemas/shapes.js';
import { userId } from '../../schemas/user-id.js';
import {
  messageId,
  metadataSchema,
  unstoredMetadataSchema,
  visitorMetadataSchema,
} from './message-metadata.js';

const optional = Type.Optional;
const { chat } = limits;

// --- responses --------------------------------------------------------------------------------------------------

const feedback = oneOf(['positive', 'negative']);
const textPart = Type.Object({ type: Type.Literal('text'), text: Type.String() }, { $id: 'TextPart' });

const toolCallPart = Type.Object(
  {
    type: Type.Literal('tool-call'),
    toolCallId: Type.String(),
    toolName: Type.String(),
    input: Type.Object({}, { additionalProperties: true }),
    state: oneOf(['pending', 'answered', 'expired', 'superseded']),
    expiresAt: unixSeconds('Until when a result is accepted'),
  },
  { $id: 'ToolCallPart' },
);

const toolResultPart = Type.Object(
  {
    type: Type.Literal('tool-result'),
    toolCallId: Type.String(),
    toolName: Type.String(),
    output: optional(Type.Unknown({ description: 'Output of the tool; absent if the client sent an error' })),
    error: optional(Type.String()),
    truncated: optional(Type.Literal(true, { description: 'Export only: the output was cut' })),
  },
  { $id: 'ToolResultPart' },
);

const messageExample = {
  id: '1042',
  role: 'assistant',
  status: 'completed',
  createdAt: 1_795_312_815,
  parts: [{ type: 'text', text: 'Hold the power button for ten seconds [1].' }],
  feedback: null,
  metadata: {
    conversationId: '01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10',
    userMessageId: '1041',
    userId: 'u-17',
    finishReason: 'stop',
    model: models[0],
    usage: { credits: 1, inputTokens: 812, outputTokens: 14 },
    citations: [
      {
        sourceId: '1',
        documentId: '01a1f2c5-7c10-7d44-8c3a-6f1d2e9b4a07',
        sourceType: 'web_crawl',
        title: 'Reset',
        url: 'https://docs.acme.com/reset',
        start: 1180,
        end: 1238,
        quote: 'To reset the device, hold the power button for ten seconds.',
      },
    ],
    outcome: 'answered',
    sources: [
      {
        documentId: '01a1f2c5-7c10-7d44-8c3a-6f1d2e9b4a07',
        title: 'Reset',
        url: 'https://docs.acme.com/reset',
      },
    ],
  },
};

const message = {
  id: nullable(messageId),
  role: oneOf(['user', 'assistant', 'tool']),
  status: oneOf(['generating', 'completed', 'stopped', 'failed']),
  createdAt: unixSeconds('Creation'),
  parts: Type.Array(Type.Union([textPart, toolCallPart, toolResultPart])),
  feedback: optional(nullable(feedback)),
  feedbackComment: optional(Type.String()),
};

export const messageSchema = Type.Object(
  { ...message, metadata: metadataSchema },
  { $id: 'Message', examples: [messageExample] },
);

/** An answer that belongs to no conversation. */
export const unstoredMessageSchema = Type.Object(
  { ...message, metadata: unstoredMetadataSchema },
  { $id: 'UnstoredMessage' },
);

export const visitorMessageSchema = Type.Object({ ...message, metadata: visitorMetadataSchema });

const conversationBase = {
  id: uuid('Conversation id (UUID v7)'),
  title: nullable(Type.String({ description: 'Start of the first user message' })),
  source: oneOf(conversationSources),
  status: oneOf(['ongoing', 'ended']),
  userId: nullable(Type.String()),
  messageCount: Type.Integer({ minimum: 0, description: 'User and assistant messages' }),
  createdAt: unixSeconds('Creation'),
  updatedAt: unixSeconds('Last message'),
};

const state = optional(
  oneOf(conversationStates, {
    description:
      '`agent`: the agent answers; `requested`: it answers, and the visitor has asked for a person; `human`: only people answer; `closed`: until the next message. Absent in conversations of the API',
  }),
);

export const assignee = Type.Object(
  {
    type: oneOf(['user', 'key']),
    id: uuid('Id of the member or of the API key'),
    name: Type.String(),
  },
  { description: 'Who has the conversation. Only for those who may answer it' },
);

const staffFields = {
  state,
  assignee: optional(nullable(assignee)),
  waitingSince: optional(
    nullable(unixSeconds('Request for a person, or oldest message without an answer of a person')),
  ),
  requestReason: optional(
    Type.String({ description: 'What the visitor has written with the request for a person, if anything' }),
  ),
};

const visitorFields = {
  state,
  person: optional(nullable(Type.Object({ name: Type.String() }, { description: 'Who answers' }))),
};

const conversation = { ...conversationBase, ...staffFields };

export const conversationSchema = Type.Object(conversation, { $id: 'Conversation' });
export const lastMessage = Type.Object(
  {
    id: messageId,
    role: oneOf(['user', 'assistant']),
    text: Type.String({ description: `At most ${limits.handover.lastMessage} characters` }),
    createdAt: unixSeconds('Creation'),
  },
  { description: 'The newest complete message' },
);

const summary = {
  lastMessage: optional(nullable(lastMessage)),
  feedback: optional(
    nullable(oneOf(['positive', 'negative'], { description: '`negative` if any answer is rated so' })),
  ),
  outcome: optional(nullable(oneOf(answerOutcomes, { description: 'Of the newest answer that has one' }))),
};
export const conversationListSchema = listOf(
  Type.Object({ ...conversation, ...summary }, { $id: 'ListedConversation' }),
  'ConversationList',
);
const position = optional(
  Type.String({
    examples: ['17'],
    description: 'Good as `Last-Event-ID` for `followConversation`. Absent in conversations of the API',
  }),
);
export const messageListSchema = Type.Object(
  { data: Type.Array(messageSchema), position, pagination },
  { $id: 'MessageList' },
);

export const conversationDetailSchema = Type.Object(
  {
    ...conversation,
    position,
    messages: Type.Array(messageSchema, { description: 'The newest messages, in chronological order' }),
    pagination,
  },
  { $id: 'ConversationDetail' },
);

export const visitorMessageListSchema = Type.Object({
  data: Type.Array(visitorMessageSchema),
  position,
  pagination,
});

const visitorConversation = { ...conversationBase, ...visitorFields };

export const visitorConversationListSchema = Type.Object({
  data: Type.Array(Type.Object(visitorConversation)),
  pagination,
});

export const visitorDetailSchema = Type.Object({
  ...visitorConversation,
  position,
  messages: Type.Array(visitorMessageSchema),
  pagination,
});

export const exportSchema = listOf(
  Type.Object(
    {
      ...conversation,
      messages: optional(
        Type.Array(messageSchema, { description: 'In chronological order; absent with include=summary' }),
      ),
      truncated: optional(Type.Literal(true, { description: 'Only the newest messages are included' })),
    },
    { $id: 'ExportedConversation' },
  ),
  'ConversationExport',
);

export const stoppedSchema = Type.Object(
  { stopped: Type.Boolean({ description: 'False if no answer was in progress, or if it ended before' }) },
  { $id: 'Stopped' },
);

export const toolResultTaken = Type.Object({ success: Type.Literal(true) }, { $id: 'ToolResultTaken' });

// --- requests ------------------------------------------------------------------------------------------------------

const tool = Type.Object({
  name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  description: optional(Type.String({ maxLength: chat.toolDescription })),
  inputSchema: Type.Unsafe<JsonObject>({
    type: 'object',
    description: `JSON Schema (draft-07, 2019-09 or 2020-12) of type object, without external references, at most ${chat.toolSchemaBytes} bytes as JSON`,
  }),
});

const tools = Type.Array(tool, {
  maxItems: chat.tools,
  distinctNames: true,
  description: 'Functions that the model may ask the client to run',
});

const stream = Type.Boolean({ default: true, description: 'Whether to respond with an event stream' });

const messageText = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    notBlank: true,
    description:
      'Optional if the last answer has tool calls. Without it, the agent continues with their results',
  });

const conversationId = Type.String({
  minLength: 1,
  maxLength: chat.conversationId,
  description: 'If omitted, a new conversation begins',
});

/** Only an existing conversation can continue without a message. */
const messageInNew = {
  if: { not: { required: ['conversationId'] } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ['message'] },
};

const noTools = Type.Unsafe<never>({ notForVisitors: true });

export const chatBody = Type.Object(
  {
    message: optional(messageText(chat.message)),
    conversationId: optional(conversationId),
    stream: optional(stream),
    userId: optional(userId),
    tools: optional(tools),
  },
  {
    $id: 'ChatRequest',
    examples: [{ message: 'How do I reset the device?', stream: false }],
    ...messageInNew,
  },
);

/** Body of visitors: no tools, and no `userId`, because the token identifies the user. */
export const visitorChatBody = Type.Object(
  {
    message: optional(messageText(limits.visitors.message)),
    conversationId: optional(conversationId),
    stream: optional(stream),
    tools: optional(noTools),
  },
  messageInNew,
);

export const retryBody = Type.Object(
  {
    messageId: Type.Unsafe<string | number>({ textOrNumber: true, description: 'The answer to replace' }),
    stream: optional(stream),
    tools: optional(tools),
  },
  { $id: 'RetryRequest' },
);

export const visitorRetryBody = Type.Object({
  messageId: retryBody.properties.messageId,
  stream: optional(stream),
  tools: optional(noTools),
});

export const toolResultBody = Type.Object(
  {
    toolCallId: Type.String({ minLength: 1, maxLength: chat.toolCallId }),
    output: optional(
      Type.Unsafe<JsonValue>({
        maxJsonBytes: chat.toolOutputBytes,
        description: 'Any JSON value',
      }),
    ),
    error: optional(Type.String({ maxLength: chat.toolError })),
  },
  { $id: 'ToolResult', oneOf: [{ required: ['output'] }, { required: ['error'] }] },
);

export const feedbackBody = Type.Object(
  {
    feedback: nullable(feedback),
    comment: optional(nullable(Type.String({ maxLength: chat.feedbackComment }))),
  },
  { $id: 'FeedbackRequest' },
);

const date = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, Unix seconds, inclusive` });

const filters = {
  source: optional(oneOf(conversationSources, { description: 'Only conversations of this channel' })),
  startDate: optional(date('Created at or after')),
  endDate: optional(date('Created at or before')),
};

export const listConversationsQuery = Type.Object(
  {
    ...pageQuery,
    ...filters,
    userId: optional(userId),
    outcome: optional(
      oneOf(answerOutcomes, { description: 'Only conversations with an answer of this outcome' }),
    ),
    feedback: optional(
      oneOf(['positive', 'negative'], {
        description: 'Only conversations with an answer that has this feedback',
      }),
    ),
    include: optional(
      oneOf(['summary'], { description: 'Adds `lastMessage`, `feedback` and `outcome`. Not for visitors' }),
    ),
    q: optional(
      Type.String({
        minLength: 1,
        maxLength: chat.search.length,
        notBlank: true,
        description: `Only conversations with all these words, in any form, among the newest ${chat.search.conversations.toLocaleString('en')} that match the other filters and have at most ${chat.search.messages.toLocaleString('en')} messages together`,
      }),
    ),
  },
  { $id: 'ListConversationsQuery' },
);

export const listMessagesQuery = Type.Object(pageQuery, { $id: 'ListMessagesQuery' });

export const exportQuery = Type.Object(
  {
    ...pageQuery,
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: chat.exportPage,
        default: chat.exportPage,
        description: 'Items on a page',
      }),
    ),
    ...filters,
    conversationId: optional(
      Type.String({
        minLength: 1,
        maxLength: chat.conversationId,
        description: 'Only this conversation',
      }),
    ),
    include: optional(oneOf(['summary'], { description: '`summary` omits the messages' })),
  },
  { $id: 'ExportQuery' },
);
