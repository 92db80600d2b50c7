import type { Connection } from '../../../adapters/sequelize/database/connection.js';

/** One step of a query plan in EXPLAIN. */
export interface PlanStep {
  table: string | null;
  type: string | null;
  key: string | null;
  rows: number | null;
  extra: string;
}

/** The server's plan for a statement, with the settings of our own connections. */
export async function planOf(read: Connection['read'], sql: string, params: unknown[]): Promise<PlanStep[]> {
  // The default format of newer MySQL servers is a tree.
  const rows = await read(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, params);
  return rows.map((row) => ({
    table: row.table as string | null,
    type: row.type as string | null,
    key: row.key as string | null,
    rows: row.rows === null ? null : Number(row.rows),
    extra: String(row.Extra ?? ''),
  }));
}

/** Describes the steps that read a whole table or sort; empty if the plan is good. */
export function slowSteps(plan: PlanStep[], sql: string): string[] {
  const limit = Number(sql.split(' LIMIT ').at(1)?.split(' ').at(0) ?? Number.NaN);
  return plan.flatMap(({ table, type, key, rows, extra }) => {
    const problems = ['Using filesort', 'Using temporary'].filter((word) => extra.includes(word));
    // A derived table holds one page, found by its own steps.
    if (table !== null && type === 'ALL' && !table.startsWith('<derived')) problems.push('ALL');
    // A later page must be sought by key, because scanning to it takes longer with every page.
    if (type === 'ref' && / id [<>] \? ORDER BY id/.test(sql)) problems.push(`walks to the page in ${key}`);
    // Scanning an index in order is fine if every row matches and the scan stops after a page.
    if (type === 'index' && (extra.includes('Using where') || !((rows ?? 0) <= limit)))
      problems.push(`the whole of index ${key}`);
    return problems.length === 0 ? [] : [`${table}: ${problems.join(', ')} (${type}, ${key}, ${rows} rows)`];
  });
}
