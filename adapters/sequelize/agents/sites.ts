import type { Sites } from '../../../core/ports/store/agents/sites.js';
import type { Connection } from '../database/connection.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { readingOf, robotsOf, siteOf, sites } from '../tables/sites.js';

export const createSites = (connection: Connection, transact: Transact): Sites => ({
  async page(agentId, { limit, before }) {
    const rows = await connection.read(
      `SELECT ${sites.list()} FROM sites WHERE agent_id = ? AND removal IS NULL${before === null ? '' : ' AND id < ?'}
        ORDER BY id DESC LIMIT ${limit + 1}`,
      [agentId, ...(before === null ? [] : [before])],
    );
    return rows.map(siteOf);
  },
  async count(agentId) {
    const sql = 'SELECT COUNT(*) AS n FROM sites WHERE agent_id = ? AND removal IS NULL';
    const [row] = await connection.read(sql, [agentId]);
    return Number(row?.n ?? 0);
  },
  async find(agentId, siteId) {
    const sql = `SELECT ${sites.list()} FROM sites WHERE agent_id = ? AND id = ? AND removal IS NULL`;
    const [row] = await connection.read(sql, [agentId, siteId]);
    return row ? siteOf(row) : null;
  },
  forgetHosts: (beforeMs, limit) =>
    transact(async (transaction) => {
      const { select, execute } = statementsIn(connection, transaction);
      const rows = await select(`SELECT host FROM host_pauses WHERE next_at_ms < ? LIMIT ${limit}`, [
        beforeMs,
      ]);
      const hosts = rows.map(({ host }) => host);
      // The host may have been reserved again in the meantime.
      if (hosts.length > 0)
        await execute('DELETE FROM host_pauses WHERE host IN (?) AND next_at_ms < ?', [hosts, beforeMs]);
      return hosts.length;
    }),
  async hidden(limit) {
    const sql = `SELECT id, agent_id FROM sites WHERE removal IS NOT NULL LIMIT ${limit}`;
    return (await connection.read(sql, [])).map((row) => ({
      agentId: row.agent_id as string,
      siteId: row.id as string,
    }));
  },
  async reading(jobId) {
    const [row] = await connection.read('SELECT job_id, site_id, state FROM site_readings WHERE job_id = ?', [
      jobId,
    ]);
    return row ? readingOf(row) : null;
  },
  robots: (jobIds) => robotsOf(connection.read, jobIds),
});
