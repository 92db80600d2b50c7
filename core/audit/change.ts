import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChangeContext } from '../ports/store/audit.js';

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
    // Work that continues after the response is not part of the request.
    scope.context = null;
  }
}

/** Returns the request that is making changes; null for changes that are not audited. */
export const currentChange = (): ChangeContext | null => scopes.getStore()?.context ?? null;
