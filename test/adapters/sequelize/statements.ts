import type { Test } from 'tap';
import type { Connection } from '../../../adapters/sequelize/database/connection.js';
import { planOf, slowSteps } from './plan.js';

export interface Statement {
  sql: string;
  params: unknown[];
}

/** Wraps a connection to record every statement. */
export function recorded(real: Connection, statements: Statement[]): Connection {
  const { options } = real.sequelize as unknown as { options: { logging: (line: string) => void } };
  options.logging = (line) => {
    const sql = line.replace(/^Executing \([^)]*\): /, '');
    if (sql.startsWith('SELECT')) statements.push({ sql, params: [] });
  };
  return {
    ...real,
    read: (sql, params) => {
      statements.push({ sql, params });
      return real.read(sql, params);
    },
    readRow: (sql, id) => {
      statements.push({ sql, params: [id] });
      return real.readRow(sql, id);
    },
    within: (transaction, said) => {
      for (const { sql, params } of said) if (sql.startsWith('SELECT')) statements.push({ sql, params });
      return real.within(transaction, said);
    },
  };
}

/** Runs each of these and checks the plan of every statement. */
export async function allIndexed(
  t: Test,
  {
    real,
    statements,
    hot,
  }: { real: Connection; statements: Statement[]; hot: Record<string, () => Promise<unknown>> },
): Promise<void> {
  for (const [name, run] of Object.entries(hot)) {
    await t.test(`${name}: uses an index and does not sort`, async (t) => {
      statements.length = 0;
      await run();
      t.ok(statements.length > 0, 'it was read from the database');
      for (const { sql, params } of statements) {
        const plan = await planOf(real.read, sql, params);
        t.strictSame(slowSteps(plan, sql), [], sql);
      }
    });
  }
}
