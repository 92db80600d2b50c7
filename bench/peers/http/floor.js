import { createHash, randomUUID } from 'node:crypto';
import Koa from 'koa';
import { createPool } from 'mysql2/promise';

/*
 * The floor: Koa without a router or keys, one prepared statement per read, and the necessary inserts and updates per
 * write in one transaction. No checks, quotas, versions or actors.
 */

const pool = createPool({ uri: process.env.DATABASE_URL, connectionLimit: 10, supportBigNumbers: true });
const one = async (sql, params) => (await pool.execute(sql, params))[0][0];

const presentAgent = ({ id, name, url, created_at, settings }) => ({
  id,
  name,
  url,
  createdAt: Number(created_at),
  settings: JSON.parse(settings),
});

const presentTraining = (row) => ({
  status: row.job_id === null ? (row.last_trained_at === null ? 'idle' : 'trained') : 'training',
  documentCount: row.web_crawl + row.file_upload + row.text_snippet + row.qna_entry,
  lastTrainedAt: row.last_trained_at,
  activeJob: null,
});

const presentSource = (row) => ({
  id: row.id,
  title: row.title,
  sourceType: row.source_type,
  createdAt: Number(row.created_at),
  lastCrawledAt: row.last_crawled_at,
  sourceMetadata: { ...JSON.parse(row.metadata), contentHash: row.content_hash },
});

const presentList = (rows, limit) => {
  const shown = rows.slice(0, limit);
  return {
    data: shown.map(presentSource),
    pagination: { cursor: rows.length > limit ? shown.at(-1).id : null, hasMore: rows.length > limit },
  };
};

/** Replaces chunking by chunks of 1,000 characters, at negligible cost. */
function piecesOf(text) {
  const pieces = [];
  for (let at = 0; at < text.length; at += 1000)
    pieces.push({ start: at, end: Math.min(text.length, at + 1000), at, size: 1000, headings: [] });
  return JSON.stringify(pieces);
}

const reads = {
  agent: async (id) =>
    presentAgent(await one('SELECT id, name, url, created_at, settings FROM agents WHERE id = ?', [id])),
  'settings/ai': async (id) =>
    JSON.parse((await one('SELECT settings FROM agents WHERE id = ?', [id])).settings).ai ?? {},
  train: async (id) =>
    presentTraining(
      await one(
        `SELECT last_trained_at, web_crawl, file_upload, text_snippet, qna_entry,
          (SELECT MAX(id) FROM jobs WHERE agent_id = agents.id AND status IN ('pending', 'running')) AS job_id
          FROM agents WHERE id = ?`,
        [id],
      ),
    ),
  sources: async (id) => {
    const [rows] = await pool.execute(
      `SELECT id, title, source_type, created_at, last_crawled_at, metadata, content_hash FROM documents
        WHERE agent_id = ? ORDER BY id DESC LIMIT 21`,
      [id],
    );
    return presentList(rows, 20);
  },
};

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks));
}

async function rename(id, { name }) {
  await pool.execute('UPDATE agents SET name = ?, version = version + 1 WHERE id = ?', [name, id]);
  return reads.agent(id);
}

/** Ids of documents sort by age, as in Cadre. */
const newId = () =>
  `${Date.now()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7${randomUUID().slice(15)}`;

async function learn(id, { title, content }) {
  const documentId = newId();
  const connection = await pool.getConnection();
  const hash = createHash('sha256').update(content).digest('hex');
  const bytes = Buffer.byteLength(content);
  try {
    await connection.beginTransaction();
    const [[agent]] = await connection.execute('SELECT workspace_id FROM agents WHERE id = ? FOR UPDATE', [
      id,
    ]);
    await connection.execute(
      `INSERT INTO documents (id, agent_id, workspace_id, source_type, title, bytes, content_hash, metadata, created_at)
        VALUES (?, ?, ?, 'text_snippet', ?, ?, ?, '{}', UNIX_TIMESTAMP())`,
      [documentId, id, agent.workspace_id, title, bytes, hash],
    );
    await connection.execute(
      'INSERT INTO document_contents (document_id, agent_id, text, chunks) VALUES (?, ?, ?, ?)',
      [documentId, id, content, piecesOf(content)],
    );
    await connection.execute(
      `INSERT INTO document_terms (document_id, agent_id, version, analysis, source_type, segment) VALUES (?, ?, 1, 1, 'text_snippet', ?)`,
      [documentId, id, Buffer.alloc(Math.ceil(bytes / 3), 7)],
    );
    await connection.execute(
      'UPDATE agents SET text_snippet = text_snippet + 1, version = version + 1, knowledge_version = knowledge_version + 1 WHERE id = ?',
      [id],
    );
    await connection.execute('UPDATE workspaces SET storage_bytes = storage_bytes + ? WHERE id = ?', [
      bytes,
      agent.workspace_id,
    ]);
    await connection.commit();
  } finally {
    connection.release();
  }
  return { documentId, contentHash: hash };
}

const app = new Koa();
app.use(async (ctx) => {
  const [, id, what = 'agent'] = /^\/api\/v2\/agents\/([^/]+)(?:\/(.+))?$/.exec(ctx.path) ?? [];
  if (ctx.method === 'GET') ctx.body = await reads[what](id);
  else if (ctx.method === 'PATCH') ctx.body = await rename(id, await bodyOf(ctx.req));
  else {
    ctx.status = 201;
    ctx.body = await learn(id, await bodyOf(ctx.req));
  }
});
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
