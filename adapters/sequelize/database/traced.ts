import type { Attributes } from '../../../core/ports/tracing.port.js';
import { inSpan } from '../../../core/tracing/trail.js';
import type { Connection } from './connection.js';

/* Spans by OpenTelemetry's conventions for databases. They contain operations and tables, but no SQL or values. */

const OPERATION = /\w+/;
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+[`"]?(\w+)/i;

function attributesOf(statements: readonly string[]): Attributes & { 'db.operation.name': string } {
  const [first = ''] = statements;
  const operation = OPERATION.exec(first)?.[0].toUpperCase() ?? '';
  const table = TABLE.exec(first)?.[1];
  const count = statements.length;
  return {
    'db.operation.name': count > 1 ? `BATCH ${operation}` : operation,
    ...(table === undefined ? {} : { 'db.collection.name': table }),
    ...(count > 1 ? { 'db.operation.batch.size': count } : {}),
  };
}

/** Runs `work` in a span for the transaction. The spans of its statements are children of this span. */
export const inTransactionSpan = <T>(
  { dialect }: Pick<Connection, 'dialect'>,
  work: () => Promise<T>,
): Promise<T> =>
  inSpan('transaction', 'client', (span) => {
    span?.set({ 'db.system.name': dialect });
    return work();
  });

/** Adds a span to each read, each batch of statements and each transaction. */
export function traced(connection: Connection): Connection {
  const system = { 'db.system.name': connection.dialect };

  const statements = <T>(sqls: readonly string[], work: () => Promise<T>): Promise<T> =>
    inSpan('statement', 'client', (span) => {
      if (span !== null) {
        const attributes = attributesOf(sqls);
        const { 'db.operation.name': operation, 'db.collection.name': table } = attributes;
        span.rename(table === undefined ? operation : `${operation} ${table}`);
        span.set({ ...system, ...attributes });
      }
      return work();
    });

  return {
    ...connection,
    read: (sql, params) => statements([sql], () => connection.read(sql, params)),
    readLong: (sql, params) => statements([sql], () => connection.readLong(sql, params)),
    readRow: (sql, id) => statements([sql], () => connection.readRow(sql, id)),
    within: (transaction, all) =>
      statements(
        all.map(({ sql }) => sql),
        () => connection.within(transaction, all),
      ),
    transaction: (work) => inTransactionSpan(connection, () => connection.transaction(work)),
  };
}
