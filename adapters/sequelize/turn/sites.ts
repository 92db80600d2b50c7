import type { SitePageRow, TurnSites } from '../../../core/ports/store/agents/sites.js';
import type { Row } from '../database/connection.js';
import { insertNew } from '../database/insert-new.js';
import type { Statements } from '../database/statements.js';
import { upsert } from '../database/upsert.js';
import { insertRows, updateRows } from '../database/write-rows.js';
import { urlHash } from '../tables/documents.js';
import { readingOf, robotsOf, siteOf, sitePageOf, sitePages, siteReadings, sites } from '../tables/sites.js';

/** URLs in the condition of a statement. */
const URLS = 100;
const counted = (row: Row | undefined): number => Number(row?.n ?? 0);

const keyColumns = { pattern: 'pattern', paramsKey: 'params_key', contentKey: 'content_key' } as const;

/** Needs the lock of the agent's row: one turn at a time writes the frontier of its sites. */
export function turnSites(statements: Statements, agentId: string): TurnSites {
  const { dialect, select, execute, executeOnce } = statements;

  const site = async (condition: string, value: string) => {
    const [row] = await select(
      `SELECT ${sites.list()} FROM sites WHERE agent_id = ? AND ${condition} = ? AND removal IS NULL`,
      [agentId, value],
    );
    return row ? siteOf(row) : null;
  };
  const pages = async (condition: string, values: unknown[]): Promise<SitePageRow[]> =>
    (await select(`SELECT ${sitePages.list()} FROM site_pages WHERE ${condition}`, values)).map(sitePageOf);
  const onePage = async (condition: string, values: unknown[]): Promise<SitePageRow | null> =>
    (await pages(condition, values))[0] ?? null;

  return {
    async count() {
      const [row] = await select('SELECT COUNT(*) AS n FROM sites WHERE agent_id = ? AND removal IS NULL', [
        agentId,
      ]);
      return counted(row);
    },
    async all() {
      const rows = await select(
        `SELECT ${sites.list()} FROM sites WHERE agent_id = ? AND removal IS NULL ORDER BY id`,
        [agentId],
      );
      return rows.map(siteOf);
    },
    find: (siteId) => site('id', siteId),
    findByUrl: (url) => site('url_hash', urlHash(url)),
    insert: (row) =>
      insertRows(statements, sites.name, [
        sites.byColumn(sites.encode({ ...row, agentId, urlHash: urlHash(row.url) })),
      ]),
    update: (siteId, patch) =>
      updateRows(statements, dialect, sites.name, 'id', [
        { key: siteId, values: sites.byColumn(sites.encode(patch)) },
      ]),
    async hide(siteId, removal) {
      await execute('UPDATE sites SET removal = ?, url_hash = id WHERE id = ?', [removal, siteId]);
    },
    async removalOf(siteId) {
      const [row] = await select('SELECT removal FROM sites WHERE agent_id = ? AND id = ?', [
        agentId,
        siteId,
      ]);
      return row ? sites.decode(row).removal : null;
    },
    stored: (siteId, limit) =>
      pages(`site_id = ? AND document_id IS NOT NULL ORDER BY id LIMIT ${limit}`, [siteId]),
    async clear(siteId, limit) {
      const rows = await select(`SELECT id FROM site_pages WHERE site_id = ? LIMIT ${limit}`, [siteId]);
      if (rows.length > 0)
        await execute('DELETE FROM site_pages WHERE id IN (?)', [rows.map(({ id }) => id)]);
      if (rows.length < limit) await execute('DELETE FROM sites WHERE id = ?', [siteId]);
    },
    async reading(jobId) {
      const [row] = await select(
        'SELECT job_id, site_id, state FROM site_readings WHERE job_id = ? AND agent_id = ?',
        [jobId, agentId],
      );
      return row ? readingOf(row) : null;
    },
    async keepReading({ jobId, siteId, ...state }) {
      const row = siteReadings.byColumn(siteReadings.encode({ jobId, agentId, siteId, state }));
      await insertRows(statements, siteReadings.name, [row], { dialect, key: 'job_id', columns: ['state'] });
    },
    async pending(jobId) {
      const [row] = await select('SELECT pending FROM site_readings WHERE job_id = ?', [jobId]);
      return (row && siteReadings.decode(row).pending) ?? [];
    },
    async keepPending(jobId, urls) {
      const { pending } = siteReadings.encode({ pending: urls.length === 0 ? null : urls });
      await execute('UPDATE site_readings SET pending = ? WHERE job_id = ?', [pending, jobId]);
    },
    robots: (jobIds) => robotsOf(select, jobIds),
    async keepRobots(jobId, found) {
      const { robots } = siteReadings.encode({ robots: found });
      await execute('UPDATE site_readings SET robots = ? WHERE job_id = ?', [robots, jobId]);
    },
    page: (pageId) => onePage('id = ? AND agent_id = ?', [pageId, agentId]),
    pageByUrl: (siteId, url) => onePage('site_id = ? AND url_hash = ?', [siteId, urlHash(url)]),
    async addPages(siteId, found, room) {
      const known = await knownPages(siteId, found);
      const deeper = found.filter(({ url, depth }) => (known.get(urlHash(url))?.depth ?? 0) > depth);
      await lowerDepths(siteId, deeper);
      const listed = found.map(({ url, isListed }) => (isListed ? urlHash(url) : null));
      await markListed(
        siteId,
        listed.flatMap((hash) => (hash !== null && known.get(hash)?.isListed === false ? hash : [])),
      );
      const isUnlinked = ({ url }: { url: string }) => known.get(urlHash(url))?.isUnlinked === true;
      const unknown = found.filter((page) => !known.has(urlHash(page.url)) || isUnlinked(page));
      const chosen = unknown.slice(0, room);
      const unlinked = chosen.filter(isUnlinked);
      for (const { url, depth } of unlinked)
        await execute(
          `UPDATE site_pages SET state = 'waiting', depth = ? WHERE site_id = ? AND url_hash = ?`,
          [depth, siteId, urlHash(url)],
        );
      const fresh = chosen.filter((page) => !isUnlinked(page));
      const rows = fresh.map((page) => ({
        ...page,
        siteId,
        agentId,
        urlHash: urlHash(page.url),
        state: 'waiting' as const,
        contentKey: null,
        documentId: null,
        isOwn: false,
        isRemoved: false,
        goneAt: null,
      }));
      const added = await insertNew({ dialect, executeOnce }, sitePages, rows);
      return { added: added + unlinked.length, beyond: unknown.slice(room).map(({ url }) => url) };
    },
    async updatePage(pageId, patch) {
      const values = sitePages.byColumn(
        sitePages.encode({ ...patch, ...(patch.url === undefined ? {} : { urlHash: urlHash(patch.url) }) }),
      );
      await updateRows(statements, dialect, sitePages.name, 'id', [{ key: pageId, values }]);
    },
    waiting: (siteId, limit, knownOnly) =>
      pages(
        `site_id = ? AND state = 'waiting'${knownOnly ? ' AND document_id IS NOT NULL' : ''}
          ORDER BY depth, id LIMIT ${limit}`,
        [siteId],
      ),
    async fetching(siteId) {
      const rows = await select(
        `SELECT depth, document_id FROM site_pages WHERE site_id = ? AND state = 'fetching'`,
        [siteId],
      );
      const depths = rows.map((row) => Number(row.depth));
      return {
        fresh: rows.filter((row) => row.document_id === null).length,
        depth: depths.length === 0 ? null : Math.min(...depths),
      };
    },
    async countAlike(siteId, key, except, most) {
      const [name, value] = Object.entries(key)[0] as [keyof typeof keyColumns, string];
      const [row] = await select(
        `SELECT COUNT(*) AS n FROM (SELECT 1 FROM site_pages WHERE site_id = ? AND ${keyColumns[name]} = ? AND id <> ?
          AND (state IN ('fetching', 'done') OR document_id IS NOT NULL) LIMIT ${most}) AS alike`,
        [siteId, value, except],
      );
      return counted(row);
    },
    async ofSites(documentIds) {
      if (documentIds.length === 0) return new Set();
      const rows = await select(
        `SELECT p.document_id FROM site_pages p JOIN sites s ON s.id = p.site_id
          WHERE p.agent_id = ? AND p.document_id IN (?) AND s.removal IS NULL`,
        [agentId, documentIds],
      );
      return new Set(rows.map((row) => row.document_id as string));
    },
    async putBack(siteId, after, limit) {
      const rows = await select(
        `SELECT id, state, removed FROM site_pages WHERE site_id = ? AND id > ? ORDER BY id LIMIT ${limit}`,
        [siteId, after ?? ''],
      );
      const isMissing = ({ state, removed }: Row) =>
        (state === 'missing' || state === 'unlinked') && Number(removed) === 0;
      const missing = rows.filter(isMissing).map(({ id }) => id);
      const others = rows.filter((row) => !isMissing(row)).map(({ id }) => id);
      if (missing.length > 0)
        await execute(`UPDATE site_pages SET state = 'unlinked' WHERE id IN (?)`, [missing]);
      if (others.length > 0)
        await execute(`UPDATE site_pages SET state = 'waiting' WHERE id IN (?)`, [others]);
      const upTo = rows.length < limit ? null : (rows.at(-1)?.id as string);
      return { upTo, unlinked: missing.length };
    },
    async relink(siteId) {
      const unlinked = `site_id = ? AND state = 'unlinked'`;
      const [row] = await select(`SELECT COUNT(*) AS n FROM site_pages WHERE ${unlinked}`, [siteId]);
      if (counted(row) > 0)
        await execute(`UPDATE site_pages SET state = 'waiting' WHERE ${unlinked}`, [siteId]);
      return counted(row);
    },
    async forgetUnlinked(siteId, limit) {
      const rows = await select(
        `SELECT id FROM site_pages WHERE site_id = ? AND state = 'unlinked' LIMIT ${limit}`,
        [siteId],
      );
      if (rows.length > 0)
        await execute('DELETE FROM site_pages WHERE id IN (?)', [rows.map(({ id }) => id)]);
      return rows.length;
    },
    async known(siteId) {
      return counted((await select('SELECT COUNT(*) AS n FROM site_pages WHERE site_id = ?', [siteId]))[0]);
    },
    async countGone(siteId) {
      const [row] = await select(
        `SELECT SUM(CASE WHEN state = 'gone' THEN 1 ELSE 0 END) AS gone, COUNT(*) AS n FROM site_pages
          WHERE site_id = ? AND state IN ('gone', 'due')`,
        [siteId],
      );
      const gone = Number(row?.gone ?? 0);
      return { gone, due: counted(row) - gone };
    },
    inStates: (siteId, states, limit) =>
      pages(`site_id = ? AND state IN (?) ORDER BY id LIMIT ${limit}`, [siteId, states]),
    async removePages(pageIds) {
      if (pageIds.length > 0) await execute('DELETE FROM site_pages WHERE id IN (?)', [pageIds]);
    },
    async detach(documentId, byHand) {
      const found = await pages('agent_id = ? AND document_id = ?', [agentId, documentId]);
      for (const { id, siteId } of found) {
        // A reading that is under way must not delete the row, which remembers that the page must stay away.
        const removed = `, removed = 1, gone_at = NULL, state = CASE WHEN state IN ('gone', 'due') THEN 'done' ELSE state END`;
        await execute(
          `UPDATE site_pages SET document_id = NULL, content_key = NULL${byHand ? removed : ''} WHERE id = ?`,
          [id],
        );
        await execute('UPDATE sites SET pages = pages - 1 WHERE id = ?', [siteId]);
      }
    },
    async disown(documentId) {
      await execute('UPDATE site_pages SET own = 0 WHERE agent_id = ? AND document_id = ?', [
        agentId,
        documentId,
      ]);
    },
    async reserveHost(host, fetches, delayMs, nowMs) {
      const later = fetches * delayMs;
      const most = dialect === 'mysql' ? 'GREATEST' : 'MAX';
      const sql = upsert(
        dialect,
        'host_pauses',
        ['host'],
        ['next_at_ms'],
        (column) => `${most}(${column}, ${nowMs}) + ${later}`,
      );
      await execute(sql, [host, nowMs + later]);
      const [row] = await select('SELECT next_at_ms FROM host_pauses WHERE host = ?', [host]);
      return Number(row?.next_at_ms) - later;
    },
  };

  /** Returns the known pages among these, by hash of the URL. */
  async function knownPages(siteId: string, found: readonly { url: string }[]) {
    const known = new Map<string, { depth: number; isListed: boolean; isUnlinked: boolean }>();
    const hashes = found.map(({ url }) => urlHash(url));
    for (let at = 0; at < hashes.length; at += URLS)
      for (const row of await select(
        'SELECT url_hash, depth, listed, state FROM site_pages WHERE site_id = ? AND url_hash IN (?)',
        [siteId, hashes.slice(at, at + URLS)],
      ))
        known.set(row.url_hash as string, {
          depth: Number(row.depth),
          isListed: Number(row.listed) === 1,
          isUnlinked: row.state === 'unlinked',
        });
    return known;
  }

  async function markListed(siteId: string, hashes: readonly string[]): Promise<void> {
    for (let at = 0; at < hashes.length; at += URLS)
      await execute('UPDATE site_pages SET listed = 1 WHERE site_id = ? AND url_hash IN (?)', [
        siteId,
        hashes.slice(at, at + URLS),
      ]);
  }

  async function lowerDepths(
    siteId: string,
    pages: readonly { url: string; depth: number }[],
  ): Promise<void> {
    for (const { url, depth } of pages)
      await execute(
        `UPDATE site_pages SET depth = ? WHERE site_id = ? AND url_hash = ? AND state = 'waiting'`,
        [depth, siteId, urlHash(url)],
      );
  }
}
