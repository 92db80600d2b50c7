import type { IncomingMessage } from 'node:http';
import type { VisitorCallers } from '../widget/visitor-callers.js';
import type { Authenticator, Caller } from './authenticate.js';
import { isConsoleRequest, type SessionCallers } from './session-callers.js';

/** Authenticates requests by their API keys or visitor tokens, and those of the console by their sessions. */
export interface Callers {
  /** Throws 401 and 403 as the authenticator does; for visitors also 404. */
  authenticate(request: IncomingMessage): Promise<Caller>;
  /** Whether the request can be authenticated from memory, without a query or the check of a signature. */
  isKnown(request: IncomingMessage): boolean;
  isVisitor(request: IncomingMessage): boolean;
  /**
   * Calls `end` once the request's API key, session or visitor has lost access, or has other rights than the caller. Returns a function
   * that stops watching.
   */
  watch(request: IncomingMessage, caller: Caller, end: () => void): () => void;
}

export function createCallers(
  keys: Authenticator,
  visitors: VisitorCallers,
  sessions: SessionCallers,
): Callers {
  // The console's road never looks at the Authorization header, and the other roads never look at cookies.
  const isVisitor = (request: IncomingMessage): boolean =>
    !isConsoleRequest(request) && visitors.isToken(request.headers.authorization);
  const ofKeys: Callers = {
    isVisitor,
    authenticate: (request) =>
      isVisitor(request) ? visitors.authenticate(request) : keys.authenticate(request.headers.authorization),
    isKnown: (request) =>
      isVisitor(request) ? visitors.isKnown(request) : keys.isKnown(request.headers.authorization),
    watch: (request, { visitor }, end) =>
      visitor ? visitors.watch(request, visitor, end) : keys.watch(request.headers.authorization, end),
  };
  const roadOf = (request: IncomingMessage): Omit<Callers, 'isVisitor'> =>
    isConsoleRequest(request) ? sessions : ofKeys;
  return {
    isVisitor,
    authenticate: (request) => roadOf(request).authenticate(request),
    isKnown: (request) => roadOf(request).isKnown(request),
    watch: (request, caller, end) => roadOf(request).watch(request, caller, end),
  };
}
