import { type SourceType, sourceTypes } from '../../core/knowledge/sources/source-types.js';
import { statisticsOff } from '../../test/support/statistics-off.js';
import type { Installation } from './installation.js';
import type { Broken } from './verify-api.js';

const countIsOff = (type: SourceType): string =>
  `${type} <> (SELECT COUNT(*) FROM documents WHERE agent_id = agents.id AND source_type = '${type}')`;

/** Each statement counts rows that must not exist. */
const statements: Record<string, string> = {
  'jobs open': `SELECT id FROM jobs WHERE status IN ('pending', 'running')`,
  'tasks open': `SELECT id FROM tasks WHERE status IN ('pending', 'queued', 'running')`,
  'job counters off': `SELECT jobs.id FROM jobs JOIN tasks ON tasks.job_id = jobs.id GROUP BY jobs.id
      HAVING MAX(jobs.tasks_count) <> COUNT(*)
        OR (MAX(jobs.status) <> 'cancelled' AND (MAX(jobs.tasks_ended) <> SUM(tasks.status IN ('completed', 'failed', 'cancelled'))
        OR MAX(jobs.tasks_failed) <> SUM(tasks.status = 'failed')))`,
  'jobs with the wrong end': `SELECT id FROM jobs WHERE (status = 'failed') <> (tasks_failed = tasks_count)
      AND status IN ('completed', 'failed')`,
  'agent counters off': `SELECT agents.id FROM agents WHERE
      ${sourceTypes.map(countIsOff).join(' OR ')}
      OR agents.jobs <> (SELECT COUNT(*) FROM jobs WHERE agent_id = agents.id)
      OR next_due_at_ms IS NOT NULL`,
  'agent allowances off': `SELECT id FROM workspaces WHERE agents <>
      (SELECT COUNT(*) FROM agents WHERE workspace_id = workspaces.id)`,
  'storage allowances off': `SELECT id FROM workspaces WHERE storage_bytes <>
      (SELECT COALESCE(SUM(bytes), 0) FROM documents WHERE workspace_id = workspaces.id)
      + (SELECT COALESCE(SUM(bytes), 0) FROM uploads WHERE workspace_id = workspaces.id)
      + (SELECT COALESCE(SUM(bytes), 0) FROM pictures WHERE workspace_id = workspaces.id)`,
  'conversation bytes off': `SELECT id FROM conversations WHERE active_message_id IS NULL AND bytes <>
      (SELECT COALESCE(SUM(OCTET_LENGTH(script) + COALESCE(OCTET_LENGTH(tools), 0) + COALESCE(OCTET_LENGTH(citations), 0)
        + COALESCE(OCTET_LENGTH(sources), 0)), 0)
        FROM messages WHERE conversation_id = conversations.id)
      + (SELECT COALESCE(SUM(OCTET_LENGTH(input) + COALESCE(OCTET_LENGTH(result), 0)), 0) FROM tool_calls WHERE conversation_id = conversations.id)
    UNION ALL SELECT agents.id FROM agents WHERE
      (SELECT COALESCE(SUM(bytes), 0) FROM conversation_counts WHERE agent_id = agents.id)
      <> (SELECT COALESCE(SUM(bytes), 0) FROM conversations WHERE agent_id = agents.id)`,
  'statistics off': statisticsOff,
  'documents without content, or content without document': `SELECT id FROM documents LEFT JOIN document_contents
      ON document_id = id WHERE document_id IS NULL UNION ALL SELECT document_id FROM document_contents LEFT JOIN documents
      ON document_id = id WHERE id IS NULL`,
  'documents without terms, or terms without document': `SELECT id FROM documents LEFT JOIN document_terms
      ON document_id = id WHERE document_id IS NULL UNION ALL SELECT document_id FROM document_terms LEFT JOIN documents
      ON document_id = id WHERE id IS NULL`,
  'pages doubled':
    'SELECT url FROM documents WHERE url IS NOT NULL GROUP BY agent_id, url HAVING COUNT(*) > 1',
  'files doubled': `SELECT storage_path FROM documents WHERE storage_path IS NOT NULL GROUP BY storage_path HAVING COUNT(*) > 1`,
  'rows of agents that are gone': `SELECT id FROM documents WHERE agent_id NOT IN (SELECT id FROM agents)
      UNION ALL SELECT path FROM uploads WHERE agent_id NOT IN (SELECT id FROM agents)
      UNION ALL SELECT id FROM jobs WHERE agent_id NOT IN (SELECT id FROM agents)
      UNION ALL SELECT id FROM tasks WHERE agent_id NOT IN (SELECT id FROM agents)`,
  'agents doubled': `SELECT name FROM agents WHERE name LIKE 'Agent %' GROUP BY name HAVING COUNT(*) > 1`,
  'uploads still charged': 'SELECT path FROM uploads WHERE bytes > 0',
  'social events open': `SELECT id FROM channel_events WHERE status IN ('pending', 'running')`,
  'social deliveries open': `SELECT id FROM channel_messages WHERE status IN ('waiting', 'sending')`,
  'objects waiting to be deleted': 'SELECT path FROM discards',
};

const SHOWN = 5;

/** Counts rows that must not exist at rest. */
export async function verifyDatabase({ rows }: Installation, wrong: (what: string) => void): Promise<Broken> {
  const broken: Broken = {};
  for (const [what, statement] of Object.entries(statements)) {
    const found = await rows(statement);
    broken[what] = found.length;
    for (const row of found.slice(0, SHOWN)) wrong(`${what}: ${JSON.stringify(Object.values(row))}`);
  }
  return broken;
}

/** Unfinished work: tasks, answers, events and deliveries of the social channel, objects to delete, and deleted agents with remaining rows. */
export async function workLeft({ rows }: Installation): Promise<number> {
  const [row] = await rows(
    `SELECT (SELECT COUNT(*) FROM tasks WHERE status IN ('pending', 'queued', 'running'))
       + (SELECT COUNT(*) FROM messages WHERE status = 'generating')
       + (SELECT COUNT(*) FROM channel_events WHERE status IN ('pending', 'running'))
       + (SELECT COUNT(*) FROM channel_messages WHERE status IN ('waiting', 'sending'))
       + (SELECT COUNT(*) FROM discards) + (SELECT COUNT(*) FROM remains) AS n`,
  );
  return Number(row?.n ?? 0);
}
