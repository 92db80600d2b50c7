import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

const text = DataTypes.STRING;
const integer = DataTypes.INTEGER;
const bigint = DataTypes.BIGINT;
const uuid = DataTypes.CHAR(36);
const json = DataTypes.TEXT('long');

export type ConversationModels = Record<
  'conversations' | 'messages' | 'toolCalls' | 'seats',
  ModelStatic<Model>
>;

/** For writing. The tables themselves are made by migrations; reads go through conversation-rows.ts. */
export function defineConversationModels(sequelize: Sequelize): ConversationModels {
  return {
    conversations: sequelize.define('conversations', {
      id: { type: uuid, primaryKey: true },
      agentId: uuid,
      workspaceId: uuid,
      source: text,
      userId: text,
      title: text,
      messages: integer,
      toolRecords: integer,
      createdAt: bigint,
      updatedAt: bigint,
      activeMessageId: bigint,
      lastEmptyEnd: text,
      bytes: bigint,
    }),
    messages: sequelize.define('messages', {
      id: { type: bigint, primaryKey: true, autoIncrement: true },
      conversationId: uuid,
      agentId: uuid,
      role: text,
      status: text,
      draft: DataTypes.BOOLEAN,
      script: json,
      tools: json,
      createdAt: bigint,
      userMessageId: bigint,
      finishReason: text,
      model: text,
      answerUsage: text,
      citations: json,
      errorCode: text,
      feedback: text,
      feedbackComment: text,
      leaseToken: text,
      leaseUntilMs: bigint,
      bytes: bigint,
    }),
    toolCalls: sequelize.define('tool_calls', {
      id: { type: text, primaryKey: true },
      messageId: bigint,
      conversationId: uuid,
      toolName: text,
      input: json,
      state: text,
      expiresAt: bigint,
      result: json,
      bytes: bigint,
    }),
    seats: sequelize.define('conversation_seats', {
      ticket: { type: bigint, primaryKey: true, autoIncrement: true },
      conversationId: uuid,
      keyHash: text,
      leaseUntilMs: bigint,
    }),
  };
}
