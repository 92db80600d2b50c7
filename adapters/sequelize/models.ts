import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

const id = { type: DataTypes.CHAR(36), primaryKey: true };
const uuid = DataTypes.CHAR(36);
const text = DataTypes.STRING;
const integer = DataTypes.INTEGER;
const bigint = DataTypes.BIGINT;
const flag = DataTypes.BOOLEAN;

/** JSON is kept as text: the same on every engine, and never queried inside. */
const json = DataTypes.TEXT('long');

export type Models = Record<
  | 'workspaces'
  | 'apiKeys'
  | 'agents'
  | 'documents'
  | 'contents'
  | 'terms'
  | 'uploads'
  | 'discards'
  | 'jobs'
  | 'tasks'
  | 'meta',
  ModelStatic<Model>
>;

/** For writing. The tables themselves are made by migrations; reads go through rows.ts. */
export function defineModels(sequelize: Sequelize): Models {
  return {
    meta: sequelize.define('meta', { name: { type: text, primaryKey: true }, value: json }),
    workspaces: sequelize.define('workspaces', {
      id,
      name: text,
      plan: text,
      overrides: json,
      agents: integer,
      storageBytes: bigint,
      createdAt: bigint,
    }),
    apiKeys: sequelize.define('api_keys', {
      id,
      workspaceId: uuid,
      name: text,
      hint: text,
      hash: text,
      createdAt: bigint,
      lastUsedAt: bigint,
      revokedAt: bigint,
    }),
    agents: sequelize.define('agents', {
      id,
      workspaceId: uuid,
      name: text,
      url: text,
      settings: json,
      version: { type: integer, field: 'version' },
      knowledgeVersion: integer,
      removals: integer,
      analysis: integer,
      webCrawl: integer,
      fileUpload: integer,
      textSnippet: integer,
      qnaEntry: integer,
      jobs: integer,
      createdAt: bigint,
      lastTrainedAt: bigint,
      retrainBaseAt: bigint,
      nextDueAtMs: bigint,
    }),
    documents: sequelize.define('documents', {
      id,
      agentId: uuid,
      workspaceId: uuid,
      sourceType: text,
      title: text,
      bytes: bigint,
      url: text,
      urlHash: text,
      storagePath: text,
      contentHash: text,
      metadata: json,
      createdAt: bigint,
      lastCrawledAt: bigint,
    }),
    contents: sequelize.define('document_contents', {
      documentId: { ...id, field: 'document_id' },
      agentId: uuid,
      text: json,
      chunks: json,
    }),
    terms: sequelize.define('document_terms', {
      documentId: { ...id, field: 'document_id' },
      agentId: uuid,
      version: { type: integer, field: 'version' },
      analysis: integer,
      sourceType: text,
      segment: DataTypes.BLOB('long'),
    }),
    uploads: sequelize.define('uploads', {
      path: { type: text, primaryKey: true },
      agentId: uuid,
      workspaceId: uuid,
      fileName: text,
      issuedAt: bigint,
      registeredAt: bigint,
      bytes: bigint,
      heldBytes: bigint,
      arrivingBytes: bigint,
    }),
    discards: sequelize.define('discards', { path: { type: text, primaryKey: true }, createdAt: bigint }),
    jobs: sequelize.define('jobs', {
      id: { type: bigint, primaryKey: true, autoIncrement: true },
      agentId: uuid,
      workspaceId: uuid,
      type: text,
      isRetrain: flag,
      status: text,
      tasksCount: integer,
      tasksEnded: integer,
      tasksFailed: integer,
      tasksToCome: integer,
      openedUpTo: uuid,
      requestId: text,
      createdAt: bigint,
      startedAt: bigint,
      finishedAt: bigint,
    }),
    tasks: sequelize.define('tasks', {
      id,
      jobId: bigint,
      agentId: uuid,
      type: text,
      target: text,
      payload: json,
      documentId: uuid,
      isRetrain: flag,
      status: text,
      attempts: integer,
      dueAtMs: bigint,
      leaseUntilMs: bigint,
      published: flag,
      errorCode: text,
      errorMessage: text,
      pageKey: text,
      follows: uuid,
    }),
  };
}
