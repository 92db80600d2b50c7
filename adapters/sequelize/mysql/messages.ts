import type { Row, Statement, StatementResult } from '../database/statement.js';

type Result = Row[] | { affectedRows: number; insertId: number };
type Done = (error: Error | null, result: Result | Result[]) => void;

/** The parts of the driver's connection that are used here. */
export interface MysqlConnection {
  execute(sql: string, params: unknown[], done: Done): void;
  query(sql: string, params: unknown[], done: Done): void;
  /** The SQL with its values escaped and inserted. */
  format(sql: string, params: unknown[]): string;
}

/** Longer statements are sent alone, as prepared statements, which need not format values as text. Characters. */
const LONG = 65_536;
/**
 * Maximum length of a combined message, in characters. Servers reject messages beyond their limit, which is at least 16
 * MB.
 */
const MOST_OF_A_MESSAGE = 1_048_576;

const resultOf = (result: Result): StatementResult =>
  Array.isArray(result)
    ? { rows: result, changed: 0, insertedId: 0 }
    : { rows: [], changed: result.affectedRows, insertedId: result.insertId };

/** Errors name the failed statement by its SQL template: the driver's text contains values, such as contents. */
const withoutValues = (error: Error, sql: string): Error => Object.assign(error, { sql });

export const send = (
  connection: MysqlConnection,
  way: 'execute' | 'query',
  sql: string,
  params: unknown[],
): Promise<StatementResult> =>
  new Promise((done, fail) => {
    connection[way](sql, params, (error, result) =>
      error ? fail(withoutValues(error, sql)) : done(resultOf(result as Result)),
    );
  });

/**
 * Sends the statements in order, in as few messages as possible: most of a statement's cost is the round trip. The
 * server stops at the first failure.
 */
export async function sendTogether(
  connection: MysqlConnection,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  const results: StatementResult[] = [];
  for (const message of messages(statements)) results.push(...(await sendMessage(connection, message)));
  return results;
}

function sendMessage(connection: MysqlConnection, statements: Statement[]): Promise<StatementResult[]> {
  const [first] = statements;
  if (first && statements.length === 1)
    return send(connection, first.prepared ? 'execute' : 'query', first.sql, first.params).then((result) => [
      result,
    ]);
  const text = statements.map(({ sql, params }) => connection.format(sql, params)).join(';');
  return new Promise((done, fail) => {
    connection.query(text, [], (error, results) =>
      error
        ? fail(withoutValues(error, statements.map(({ sql }) => sql).join('; ')))
        : done((results as Result[]).map(resultOf)),
    );
  });
}

function messages(statements: readonly Statement[]): Statement[][] {
  const found: Statement[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const statement of statements) {
    const more = lengthOf(statement);
    if (more > LONG || bytes + more > MOST_OF_A_MESSAGE) {
      found.push([statement]);
      bytes = more > LONG ? Number.POSITIVE_INFINITY : more;
    } else {
      found.at(-1)?.push(statement);
      bytes += more;
    }
  }
  return found;
}

const lengthOf = ({ sql, params }: Statement): number =>
  params.reduce((sum: number, value) => {
    const length = typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
    return sum + length;
  }, sql.length);
