import { createRequire } from 'node:module';
import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolConnection, SslOptions } from 'mysql2/promise';
import { type SourceType, sourceTypes } from '../../../core/knowledge/sources/source-types.js';
import type { SegmentDocument } from '../../../core/retrieval/index/merge-segments.js';
import type { VectorDocument } from '../../../core/retrieval/vectors/vector-index.js';
import type { DatabaseOptions, Row } from '../database/connection.js';
import { isConnectionLoss, isContention } from '../database/errors.js';
import { responseDeadline } from '../mysql/response-deadline.js';
import { connecting, prepareSession } from '../mysql/session.js';
import { mysqlServer } from '../mysql/tls.js';
import { sqliteFileOf } from '../sqlite/file.js';
import { closeHandle, type Handle, openReader, select } from '../sqlite/handle.js';

/*
 * Reads the data of an agent's index: tens of megabytes, in a thread that serves no requests, on its own connections.
 * Uses no ORM, because loading it would take longer than everything else.
 */

/** Changes of an agent's knowledge, as one snapshot. */
export interface KnowledgeChanges {
  knowledgeVersion: number;
  removals: number;
  /** New and replaced documents. */
  documents: SegmentDocument[];
  /** All current documents if some were deleted; null if none was. */
  present: Set<string> | null;
}

/** New vectors and all current documents, as one snapshot. */
export interface VectorChanges {
  knowledgeVersion: number;
  removals: number;
  documents: VectorDocument[];
  /** As in KnowledgeChanges. */
  present: Set<string> | null;
}

export interface SegmentReads {
  /** Returns the changes after `since`; everything if `since` is null. Null if the agent does not exist. */
  changes(
    agentId: string,
    since: Pick<KnowledgeChanges, 'knowledgeVersion' | 'removals'> | null,
  ): Promise<KnowledgeChanges | null>;
  /** The same for vectors. Also null if not all of the agent's documents have vectors of this space. */
  vectors(
    agentId: string,
    space: string,
    since: Pick<VectorChanges, 'knowledgeVersion' | 'removals'> | null,
  ): Promise<VectorChanges | null>;
  close(): Promise<void>;
}

/** Rows per read. The thread yields between reads. */
const PAGE = 2000;
const CONNECTIONS = 4;
const TRIES = 3;

type Select = (sql: string, params: unknown[]) => Promise<Row[]>;
/** Runs `read` in a read-only transaction with one snapshot. */
type Snapshot = <T>(read: (select: Select) => Promise<T>) => Promise<T>;

/** Connects lazily. Rejects with the driver's error. */
export function openSegmentReads(options: DatabaseOptions): SegmentReads {
  const { snapshot, close } = options.url.startsWith('sqlite:') ? sqlite(options.url) : mysql(options);
  return {
    changes: (agentId, since) => withRetries(() => snapshot((select) => readChanges(select, agentId, since))),
    vectors: (agentId, space, since) =>
      withRetries(() => snapshot((select) => readVectors(select, { agentId, space, since }))),
    close,
  };
}

/** Retries after a lost connection or a briefly locked database file. */
async function withRetries<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === TRIES || !(isContention(error) || isConnectionLoss(error))) throw error;
      await sleep(20 * tries);
    }
  }
}

async function readChanges(
  select: Select,
  agentId: string,
  since: Parameters<SegmentReads['changes']>[1],
): Promise<KnowledgeChanges | null> {
  const [agent] = await select('SELECT knowledge_version, removals FROM agents WHERE id = ?', [agentId]);
  if (!agent) return null;
  const removals = Number(agent.removals);
  return {
    knowledgeVersion: Number(agent.knowledge_version),
    removals,
    documents: await readSegments(select, agentId, since?.knowledgeVersion ?? -1),
    present: since !== null && since.removals !== removals ? await readIds(select, agentId) : null,
  };
}

async function readSegments(select: Select, agentId: string, after: number): Promise<SegmentDocument[]> {
  const documents: SegmentDocument[] = [];
  for (let version = after; ; ) {
    // Each change of an agent's knowledge has its own version.
    const rows = await select(
      `SELECT document_id, version, source_type, segment FROM document_terms
        WHERE agent_id = ? AND version > ? ORDER BY version LIMIT ${PAGE}`,
      [agentId, version],
    );
    for (const row of rows) documents.push(documentOf(row));
    if (rows.length < PAGE) return documents;
    version = documents.at(-1)?.version ?? version;
    await othersFirst();
  }
}

const documentOf = (row: Row): SegmentDocument => ({
  id: row.document_id as string,
  version: Number(row.version),
  sourceType: sourceTypes.indexOf(row.source_type as SourceType),
  segment: row.segment as Uint8Array,
});

async function readIds(select: Select, agentId: string): Promise<Set<string>> {
  const rows = await select('SELECT document_id FROM document_terms WHERE agent_id = ?', [agentId]);
  return new Set(rows.map((row) => row.document_id as string));
}

/** Fewer at a time, because each may be a megabyte. */
const VECTORS_PAGE = 200;

async function readVectors(
  select: Select,
  {
    agentId,
    space,
    since,
  }: { agentId: string; space: string; since: Parameters<SegmentReads['vectors']>[2] },
): Promise<VectorChanges | null> {
  const [agent] = await select(
    'SELECT knowledge_version, removals FROM agents WHERE id = ? AND embedded_as = ? AND embedded_version = knowledge_version',
    [agentId, space],
  );
  if (!agent) return null;
  const removals = Number(agent.removals);
  const documents: VectorDocument[] = [];
  for (let version = since?.knowledgeVersion ?? -1; ; ) {
    const rows = await select(
      `SELECT t.document_id, t.version, t.source_type, v.dimensions, v.vectors
        FROM document_terms t JOIN document_vectors v ON v.document_id = t.document_id AND v.version = t.version
        WHERE t.agent_id = ? AND t.version > ? AND v.space = ? AND v.dimensions IS NOT NULL ORDER BY t.version LIMIT ${VECTORS_PAGE}`,
      [agentId, version, space],
    );
    for (const row of rows) documents.push(vectorDocumentOf(row));
    if (rows.length < VECTORS_PAGE) break;
    version = documents.at(-1)?.version ?? version;
    await othersFirst();
  }
  return {
    knowledgeVersion: Number(agent.knowledge_version),
    removals,
    documents,
    present: since !== null && since.removals !== removals ? await readIds(select, agentId) : null,
  };
}

const vectorDocumentOf = (row: Row): VectorDocument => ({
  id: row.document_id as string,
  version: Number(row.version),
  sourceType: sourceTypes.indexOf(row.source_type as SourceType),
  dimensions: Number(row.dimensions),
  vectors: row.vectors as Uint8Array,
});

interface Engine {
  snapshot: Snapshot;
  close(): Promise<void>;
}

function sqlite(url: string): Engine {
  const file = sqliteFileOf(url);
  const idle: Handle[] = [];
  return {
    async snapshot(read) {
      const handle = idle.pop() ?? openReader(file);
      try {
        handle.connection.exec('BEGIN');
        const result = await read(async (sql, params) => select(handle, sql, params));
        handle.connection.exec('COMMIT');
        idle.push(handle);
        return result;
      } catch (error) {
        closeHandle(handle);
        throw error;
      }
    },
    async close() {
      for (const handle of idle.splice(0)) closeHandle(handle);
    },
  };
}

function mysql({ url, statementTimeoutMs }: DatabaseOptions): Engine {
  // Loaded on demand: with SQLite, the driver would double what the thread loads.
  const { createPool } = createRequire(import.meta.url)('mysql2/promise') as typeof import('mysql2/promise');
  const server = mysqlServer(url);
  const watch = responseDeadline(statementTimeoutMs);
  let opened: { pool: Pool; ssl: SslOptions | undefined } | undefined;
  const prepared = new WeakSet<object>();
  /** With PREFERRED, a server that was unreachable may turn out to have no TLS. Then the pool is replaced. */
  const poolFor = (ssl: SslOptions | undefined): Pool => {
    if (opened && opened.ssl === ssl) return opened.pool;
    void opened?.pool.end().catch(() => {});
    const pool = createPool({
      uri: server.url,
      ...(ssl ? { ssl } : {}),
      connectionLimit: CONNECTIONS,
      maxIdle: 1,
      idleTimeout: 30_000,
      ...connecting,
      timezone: 'Z',
      supportBigNumbers: true,
    });
    opened = { pool, ssl };
    return pool;
  };
  const connect = async (): Promise<PoolConnection> => {
    const pool = poolFor(await server.ssl());
    const pooled = await pool.getConnection();
    if (!prepared.has(pooled.connection)) {
      watch(pooled.connection);
      await prepareSession((sql) => pooled.query(sql), statementTimeoutMs);
      prepared.add(pooled.connection);
    }
    return pooled;
  };
  return {
    async snapshot(read) {
      const connection = await connect();
      try {
        await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
        const result = await read(async (sql, params) => {
          const [rows] = await connection.execute(sql, params as (string | number)[]);
          return rows as Row[];
        });
        await connection.query('COMMIT');
        connection.release();
        return result;
      } catch (error) {
        connection.destroy();
        throw error;
      }
    },
    async close() {
      await opened?.pool.end();
    },
  };
}
