import { pino } from 'pino';

/** Short facts that Node, drivers and clients of services put on their errors. */
const FACTS = ['code', 'errno', 'syscall', 'address', 'port', 'path', 'status', 'statusCode', 'sqlState'];

/**
 * What a log line says of an error: its type, message and stack, those of its causes included, and short facts.
 * Libraries hang whole requests with their keys, and the values of statements, onto errors: none of that is logged.
 */
export function errorFields(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  if (typeof (error as Partial<Error>).message !== 'string') return String(error);
  const { type, message, stack } = pino.stdSerializers.err(error as Error);
  const facts = Object.entries(error).filter(
    ([name, value]) => FACTS.includes(name) && ['string', 'number'].includes(typeof value),
  );
  const { errors } = error as Partial<AggregateError>;
  return {
    type,
    message,
    stack,
    ...Object.fromEntries(facts),
    ...(Array.isArray(errors) ? { errors: errors.map(errorFields) } : {}),
  };
}
