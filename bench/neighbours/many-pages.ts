import { createHash } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { v7 as uuidv7 } from 'uuid';
import { ANALYSIS } from '../../core/retrieval/analysis/analyse.js';
import { contentUnder, indexText } from '../../core/retrieval/index-text.js';

/** As many as a big web site has. */
export const pages = 20_000;

/** Gives an agent that many indexed pages, written beside the running service: to fetch them all would take minutes. */
export function addPages(file: string, agentId: string, urlOf: (n: number) => string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  const [agent] = database.prepare('SELECT workspace_id FROM agents WHERE id = ?').all(agentId) as {
    workspace_id: string;
  }[];
  const document = database.prepare(
    `INSERT INTO documents (id, agent_id, workspace_id, source_type, title, bytes, url, url_hash, content_hash, metadata, created_at)
      VALUES (?, ?, ?, 'web_crawl', ?, 10, ?, ?, 'none', '{}', 0)`,
  );
  const content = database.prepare(
    'INSERT INTO document_contents (document_id, agent_id, text, chunks) VALUES (?, ?, ?, ?)',
  );
  // Without what it is found by, each page would be indexed in the background, in calm and in storm.
  const terms = database.prepare(
    `INSERT INTO document_terms (document_id, agent_id, version, analysis, source_type, segment)
      VALUES (?, ?, ?, ${ANALYSIS}, 'web_crawl', ?)`,
  );
  const indexed = indexText('ten bytes.');
  database.exec('BEGIN IMMEDIATE');
  for (let n = 0; n < pages; n += 1) {
    const id = uuidv7();
    const url = urlOf(n);
    const hash = createHash('sha256').update(url).digest('hex');
    const title = `page ${n}`;
    const { text, chunks, segment } = contentUnder(title, indexed);
    document.run(id, agentId, agent?.workspace_id, title, url, hash);
    content.run(id, agentId, text, JSON.stringify(chunks));
    terms.run(id, agentId, n + 1, segment);
  }
  database
    .prepare('UPDATE agents SET web_crawl = ?, knowledge_version = ?, version = version + 1 WHERE id = ?')
    .run(pages, pages, agentId);
  database
    .prepare('UPDATE workspaces SET storage_bytes = storage_bytes + ? WHERE id = ?')
    .run(10 * pages, agent?.workspace_id);
  database.exec('COMMIT');
  database.close();
}
