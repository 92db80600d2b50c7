import { type FailureCode, TaskFailure } from '../../core/tasks/failures.js';
import { AddressRefused } from './guarded-connector.js';

const byCode: ReadonlyMap<string, FailureCode> = new Map([
  ['ENOTFOUND', 'DNS_FAILED'],
  ['ENODATA', 'DNS_FAILED'],
  ['EAI_AGAIN', 'DNS_FAILED'],
  ['EAI_FAIL', 'DNS_FAILED'],
  ['EAI_NODATA', 'DNS_FAILED'],
  ['EAI_NONAME', 'DNS_FAILED'],
  ['ESERVFAIL', 'DNS_FAILED'],
  ['ETIMEDOUT', 'FETCH_TIMEOUT'],
  ['UND_ERR_CONNECT_TIMEOUT', 'FETCH_TIMEOUT'],
  ['UND_ERR_HEADERS_TIMEOUT', 'FETCH_TIMEOUT'],
  ['UND_ERR_BODY_TIMEOUT', 'FETCH_TIMEOUT'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS_FAILED'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS_FAILED'],
  ['HOSTNAME_MISMATCH', 'TLS_FAILED'],
]);
const tlsCode =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)|INVALID_(?:CA|PURPOSE))|^EPROTO$/;

/** Returns the error, its causes, and the errors of all addresses that a connection tried. */
const related = (error: unknown, depth = 0): Error[] => {
  if (!(error instanceof Error) || depth > 4) return [];
  const attempts: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[error.cause, ...attempts].flatMap((next) => related(next, depth + 1))];
};

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** Converts an error of the connection or the body to the failure that the client sees. */
export const networkFailure = (error: unknown): TaskFailure => {
  if (error instanceof TaskFailure) return error;
  const errors = related(error);
  if (errors.some((one) => one instanceof AddressRefused))
    return new TaskFailure('ADDRESS_REFUSED', { cause: error });
  for (const code of errors.map(codeOf)) {
    const known = byCode.get(code) ?? (tlsCode.test(code) ? 'TLS_FAILED' : undefined);
    if (known) return new TaskFailure(known, { cause: error });
  }
  return new TaskFailure('FETCH_FAILED', { cause: error });
};
