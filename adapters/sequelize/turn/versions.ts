import type { TurnVersions, VersionRow } from '../../../core/ports/store/agents/versions.js';
import { limits } from '../../../core/schemas/limits.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { agentVersions, versionColumns, versionOf } from '../tables/versions.js';

interface Agent {
  id: string;
  workspaceId: string;
}

type Write = Pick<Statements, 'execute' | 'executeOnce'>;

export const insertVersion = (write: Write, agent: Agent, version: VersionRow): Promise<unknown> =>
  insertRows(write, agentVersions.name, [versionColumns(agent, version)]);

/** `execute` counts as a write of the turn. */
export function turnVersions(statements: Write & Pick<Statements, 'select'>, agent: Agent): TurnVersions {
  const { select, execute } = statements;
  const columns = agentVersions.list();

  const one = async (condition: string, values: unknown[]): Promise<VersionRow | null> => {
    const [row] = await select(
      `SELECT ${columns} FROM agent_versions WHERE agent_id = ? AND ${condition} LIMIT 1`,
      [agent.id, ...values],
    );
    return row ? versionOf(row) : null;
  };

  /** Deletes the oldest versions above the limits. The newest always stays. */
  async function trim(): Promise<void> {
    const rows = await select(
      'SELECT number, bytes FROM agent_versions WHERE agent_id = ? ORDER BY number DESC',
      [agent.id],
    );
    let bytes = 0;
    const last = rows.findIndex((row, n) => {
      bytes += Number(row.bytes);
      return n > 0 && (n >= limits.versions.most || bytes > limits.versions.bytes);
    });
    if (last < 0) return;
    await execute('DELETE FROM agent_versions WHERE agent_id = ? AND number <= ?', [
      agent.id,
      rows[last]?.number,
    ]);
  }

  return {
    async newest() {
      const [row] = await select('SELECT MAX(number) AS number FROM agent_versions WHERE agent_id = ?', [
        agent.id,
      ]);
      return row?.number == null ? null : Number(row.number);
    },
    find: (number) => one('number = ?', [number]),
    next: (number) => one('number > ? ORDER BY number', [number]),
    async add(version) {
      await insertVersion(statements, agent, version);
      await trim();
    },
    async replaceChanges(number, changes) {
      await execute('UPDATE agent_versions SET changes = ? WHERE agent_id = ? AND number = ?', [
        JSON.stringify(changes),
        agent.id,
        number,
      ]);
    },
    async remove(number) {
      await execute('DELETE FROM agent_versions WHERE agent_id = ? AND number = ?', [agent.id, number]);
    },
  };
}
