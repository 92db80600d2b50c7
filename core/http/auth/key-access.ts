import { ApiError } from '../../errors/api-error.js';
import { scopesFor } from '../../schemas/key-scopes.js';
import type { Route } from '../route.js';
import type { CallerKey } from './authenticate.js';

/** Returns whether the operation changes the whole workspace, or shows its secrets. */
const needsAllAgents = ({ scope, keyScope }: Pick<Route, 'scope' | 'keyScope'>): boolean =>
  scope === 'workspace' && keyScope === 'full';

/** Throws 403 if the key's scope does not include the operation, or if it needs a key for all agents. */
export function assertAllowed(route: Pick<Route, 'scope' | 'keyScope'>, key: CallerKey): void {
  const { keyScope } = route;
  if (!scopesFor(keyScope).includes(key.scope)) throw forbidden(keyScope, `a key with the scope ${keyScope}`);
  if (key.agentIds !== null && needsAllAgents(route))
    throw forbidden(keyScope, `a key with the scope ${keyScope} that is not limited to agents`);
}

const forbidden = (required: string, key: string): ApiError =>
  new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
    message: `This API key does not allow the operation. Use ${key}.`,
    details: { required },
  });

/** Throws the 404 of a missing agent if the key is limited to other agents. */
export function assertOwn({ agentIds }: CallerKey, agentId: string): void {
  if (agentIds !== null && !agentIds.has(agentId)) throw new ApiError('AGENT_NOT_FOUND');
}
