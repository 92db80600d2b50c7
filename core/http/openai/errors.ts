import type { ApiError } from '../../errors/api-error.js';

export const OPENAI_BASE = '/openai/v1';
export const isOpenAiPath = (path: string): boolean =>
  path === OPENAI_BASE || path.startsWith(`${OPENAI_BASE}/`);

/** Types of errors in the protocol, by status. */
const types: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
};

const typeOf = (status: number): string =>
  types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');

const paramOf = ({ code, details }: ApiError): string | null => {
  if (code === 'AGENT_NOT_FOUND') return 'model';
  return Object.keys(details?.fieldErrors ?? {})[0] ?? null;
};

/** Returns the message with the problems, because clients show only the message. */
const messageOf = ({ message, details }: ApiError): string =>
  Object.entries(details?.fieldErrors ?? {})
    .map(([field, problems]) => `${field} ${problems.join(', ')}`)
    .join('; ') || message;

/** Presents an error in the form of the protocol, with the code of the catalogue. */
export const presentOpenAiError = (error: ApiError) => ({
  error: {
    message: messageOf(error),
    type: typeOf(error.status),
    param: paramOf(error),
    code: error.code,
    ...(error.details ? { details: error.details } : {}),
  },
});
