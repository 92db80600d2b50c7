import { v7 as uuidv7 } from 'uuid';
import type { CopiedDocument, CopyClaim } from '../../../core/ports/store/agents/copies.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { sitePages, sites } from '../tables/sites.js';

/** A copied site has the normalised address of its source. */
const PAIRS = `JOIN sites s ON s.id = p.site_id AND s.removal IS NULL
  JOIN sites copied ON copied.agent_id = ? AND copied.url_hash = s.url_hash`;

/**
 * Copies the sites that the copy lacks, with their addresses and the pages that clients have removed. A copy without sources
 * has only their rules, and its first reading finds their pages.
 */
export async function copySites(
  statements: Statements,
  { agentId, sourceId, lastDocumentId }: CopyClaim,
  now: number,
): Promise<void> {
  const { select } = statements;
  const rows = await select(
    `SELECT * FROM sites WHERE agent_id = ? AND removal IS NULL
      AND url_hash NOT IN (SELECT url_hash FROM sites WHERE agent_id = ?) ORDER BY id`,
    [sourceId, agentId],
  );
  if (rows.length === 0) return;
  const own = rows.map((row) => {
    const { origin, ...site } = sites.decode(row);
    const fresh = { pages: 0, lastJobId: null, lastAt: null, createdAt: now };
    return {
      ...{ ...site, ...fresh, id: uuidv7(), agentId },
      origin: lastDocumentId === null ? null : origin,
    };
  });
  await insertRows(
    statements,
    sites.name,
    own.map((row) => sites.byColumn(sites.encode(row))),
  );
  if (lastDocumentId === null) return;
  const pages = await select(
    `SELECT p.*, copied.id AS copied_id FROM site_pages p ${PAIRS}
      WHERE p.site_id IN (?) AND (p.depth = 0 OR p.removed = 1)`,
    [agentId, rows.map(({ id }) => id)],
  );
  await insertPages(
    statements,
    pages.map((row) => ({ ...ownPage(row, agentId), documentId: null, isOwn: false, contentKey: null })),
  );
}

/** Makes copied documents pages of the copied sites. */
export async function copySitePages(
  statements: Statements,
  { agentId }: CopyClaim,
  copied: readonly CopiedDocument[],
): Promise<void> {
  const newIds = new Map(copied.map(({ id, newId }) => [id, newId]));
  if (newIds.size === 0) return;
  const rows = await statements.select(
    `SELECT p.*, copied.id AS copied_id FROM site_pages p ${PAIRS} WHERE p.document_id IN (?)`,
    [agentId, [...newIds.keys()]],
  );
  const pages = rows.map((row) => {
    const page = ownPage(row, agentId);
    return { ...page, documentId: newIds.get(page.documentId ?? '') ?? null };
  });
  await insertPages(
    statements,
    pages.filter(({ depth }) => depth > 0),
  );
  for (const { depth, documentId, siteId, urlHash, isOwn, contentKey } of pages)
    if (depth === 0)
      await statements.execute(
        'UPDATE site_pages SET document_id = ?, own = ?, content_key = ? WHERE site_id = ? AND url_hash = ?',
        [documentId, isOwn ? 1 : 0, contentKey, siteId, urlHash],
      );
  for (const siteId of new Set(pages.map((page) => page.siteId)))
    await statements.execute('UPDATE sites SET pages = pages + ? WHERE id = ?', [
      pages.filter((page) => page.siteId === siteId).length,
      siteId,
    ]);
}

function ownPage(row: Record<string, unknown>, agentId: string) {
  const { copied_id: siteId, ...page } = row;
  return {
    ...sitePages.decode(page),
    ...{ id: uuidv7(), siteId: siteId as string, agentId },
    ...{ state: 'done' as const, goneAt: null },
  };
}

const insertPages = (statements: Statements, pages: readonly ReturnType<typeof ownPage>[]): Promise<void> =>
  insertRows(
    statements,
    sitePages.name,
    pages.map((page) => sitePages.byColumn(sitePages.encode(page))),
  );
