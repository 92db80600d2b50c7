import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditActor, AuditTarget } from '../ports/store/audit.js';
import type { JsonObject } from '../schemas/json.js';

/** The request that makes a change. */
export interface ChangeContext {
  workspaceId: string;
  actor: AuditActor;
  /** Id of the operation. */
  action: string;
  agentId: string | null;
  requestId: string | null;
  /** Network of the client, already shortened. */
  address: string | null;
  /** Unix milliseconds. */
  atMs: number;
  /** Body of the request. Only fields that the operation allows are stored. */
  sent: JsonObject;
}

/** What a change has done. */
export interface ChangeOutcome {
  target: AuditTarget;
  /** State before the change. If it is given and no shown field differs, the change had no effect. */
  before?: object;
  /** State after the change; the body of the request if absent. */
  after?: object;
}

interface Scope {
  context: ChangeContext | null;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Runs a request: the changes that it makes get a row in the audit log. */
export async function auditing<T>(context: ChangeContext, work: () => Promise<T>): Promise<T> {
  const scope: Scope = { context };
  try {
    return await scopes.run(scope, work);
  } finally {
    // Work that goes on after the response is not part of the request.
    scope.context = null;
  }
}

/** Returns the request that is making changes; null for changes that are not audited. */
export const currentChange = (): ChangeContext | null => scopes.getStore()?.context ?? null;
