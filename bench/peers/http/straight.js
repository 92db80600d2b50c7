import { createHash, randomUUID } from 'node:crypto';
import { DataTypes, Op, Sequelize } from 'sequelize';
import { piecesOf } from './database.js';

/* A service as one writes it first: Sequelize models, a look-up of key and agent for each request, managed transactions. */

const sequelize = new Sequelize(process.env.DATABASE_URL, { logging: false, pool: { max: 10 } });
const { BIGINT, BLOB, INTEGER, STRING, TEXT } = DataTypes;
/** New for each table: a model writes into the columns it is given. */
const key = () => ({ type: STRING(36), primaryKey: true });
const define = (name, columns) =>
  sequelize.define(name, columns, { tableName: name, timestamps: false, underscored: true });

const ApiKey = define('api_keys', { id: key(), workspaceId: STRING, hash: STRING, revokedAt: BIGINT });
const Workspace = define('workspaces', {
  id: key(),
  plan: STRING,
  overrides: TEXT,
  agents: INTEGER,
  storageBytes: BIGINT,
});
const Agent = define('agents', {
  id: key(),
  workspaceId: STRING,
  name: STRING,
  url: STRING,
  settings: TEXT,
  version: INTEGER,
  knowledgeVersion: INTEGER,
  webCrawl: INTEGER,
  fileUpload: INTEGER,
  textSnippet: INTEGER,
  qnaEntry: INTEGER,
  createdAt: BIGINT,
  lastTrainedAt: BIGINT,
});
const Document = define('documents', {
  id: key(),
  agentId: STRING,
  workspaceId: STRING,
  sourceType: STRING,
  title: STRING,
  bytes: BIGINT,
  contentHash: STRING,
  metadata: TEXT,
  createdAt: BIGINT,
  lastCrawledAt: BIGINT,
});
const Content = define('document_contents', { documentId: key(), agentId: STRING, text: TEXT, chunks: TEXT });
const Terms = define('document_terms', {
  documentId: key(),
  agentId: STRING,
  version: BIGINT,
  analysis: INTEGER,
  sourceType: STRING,
  segment: BLOB,
});
const Job = define('jobs', {
  id: { type: BIGINT, primaryKey: true, autoIncrement: true },
  agentId: STRING,
  status: STRING,
});

/** The agent that the holder of the key asks for; null when there is no such key or agent. */
export async function agentOf(authorization, agentId) {
  const hash = createHash('sha256')
    .update((authorization ?? '').slice('Bearer '.length))
    .digest('hex');
  const key = await ApiKey.findOne({ where: { hash, revokedAt: null } });
  const workspace = key && (await Workspace.findByPk(key.workspaceId));
  return workspace && Agent.findOne({ where: { id: agentId, workspaceId: workspace.id } });
}

export const presentAgent = (agent) => ({
  id: agent.id,
  name: agent.name,
  url: agent.url,
  createdAt: Number(agent.createdAt),
  settings: JSON.parse(agent.settings),
});

export const presentAi = (agent) => JSON.parse(agent.settings).ai ?? {};

export async function presentTraining(agent) {
  const job = await Job.findOne({
    where: { agentId: agent.id, status: ['pending', 'running'] },
    order: [['id', 'DESC']],
  });
  return {
    status: job ? 'training' : agent.lastTrainedAt === null ? 'idle' : 'trained',
    documentCount: agent.webCrawl + agent.fileUpload + agent.textSnippet + agent.qnaEntry,
    lastTrainedAt: agent.lastTrainedAt,
    activeJob: null,
  };
}

export async function listSources(agent, { limit = 20, before } = {}) {
  const rows = await Document.findAll({
    where: { agentId: agent.id, ...(before ? { id: { [Op.lt]: before } } : {}) },
    order: [['id', 'DESC']],
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  return {
    data: shown.map((row) => ({
      id: row.id,
      title: row.title,
      sourceType: row.sourceType,
      createdAt: Number(row.createdAt),
      lastCrawledAt: row.lastCrawledAt,
      sourceMetadata: { ...JSON.parse(row.metadata), contentHash: row.contentHash },
    })),
    pagination: { cursor: rows.length > limit ? shown.at(-1).id : null, hasMore: rows.length > limit },
  };
}

export const rename = ({ id: agentId }, { name }) =>
  sequelize.transaction(async (transaction) => {
    const agent = await Agent.findByPk(agentId, { transaction, lock: true });
    await agent.update({ name, version: agent.version + 1 }, { transaction });
    return presentAgent(agent);
  });

const newId = () =>
  `${Date.now()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7${randomUUID().slice(15)}`;

export const learn = ({ id: agentId, workspaceId }, { title, content }) =>
  sequelize.transaction(async (transaction) => {
    const agent = await Agent.findByPk(agentId, { transaction, lock: true });
    const workspace = await Workspace.findByPk(workspaceId, { transaction, lock: true });
    const documentId = newId();
    const contentHash = createHash('sha256').update(content).digest('hex');
    const bytes = Buffer.byteLength(content);
    const createdAt = Math.floor(Date.now() / 1000);
    await Document.create(
      {
        id: documentId,
        agentId,
        workspaceId,
        sourceType: 'text_snippet',
        title,
        bytes,
        contentHash,
        metadata: '{}',
        createdAt,
      },
      { transaction },
    );
    await Content.create({ documentId, agentId, text: content, chunks: piecesOf(content) }, { transaction });
    const segment = Buffer.alloc(Math.ceil(bytes / 3), 7);
    await Terms.create(
      { documentId, agentId, version: 1, analysis: 1, sourceType: 'text_snippet', segment },
      { transaction },
    );
    await agent.update(
      {
        textSnippet: agent.textSnippet + 1,
        version: agent.version + 1,
        knowledgeVersion: agent.knowledgeVersion + 1,
      },
      { transaction },
    );
    await workspace.update({ storageBytes: Number(workspace.storageBytes) + bytes }, { transaction });
    return { documentId, contentHash };
  });
