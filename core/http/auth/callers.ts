import type { IncomingMessage } from 'node:http';
import type { VisitorCallers } from '../widget/visitor-callers.js';
import type { Authenticator, Caller } from './authenticate.js';

/** Authenticates requests by their API keys or visitor tokens. */
export interface Callers {
  /** Throws 401 and 403 as the authenticator does; for visitors also 404. */
  authenticate(request: IncomingMessage): Promise<Caller>;
  /** Whether the request can be authenticated from memory, without a query or the check of a signature. */
  isKnown(request: IncomingMessage): boolean;
  isVisitor(request: IncomingMessage): boolean;
  /** Calls `end` once the request's API key has expired or was deleted. Returns a function that stops watching. */
  watch(request: IncomingMessage, end: () => void): () => void;
}

export function createCallers(keys: Authenticator, visitors: VisitorCallers): Callers {
  const isVisitor = ({ headers }: IncomingMessage): boolean => visitors.isToken(headers.authorization);
  return {
    isVisitor,
    authenticate: (request) =>
      isVisitor(request) ? visitors.authenticate(request) : keys.authenticate(request.headers.authorization),
    isKnown: (request) =>
      isVisitor(request) ? visitors.isKnown(request) : keys.isKnown(request.headers.authorization),
    watch: (request, end) => (isVisitor(request) ? () => {} : keys.watch(request.headers.authorization, end)),
  };
}
