import { LRUCache } from 'lru-cache';
import type { Visitors } from '../ports/store/conversations/visitors.js';
import type { Workspace } from '../ports/store/workspaces.js';
import { isUuid } from '../schemas/uuid.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { type OpenAgent, openAgent } from './open-agent.js';

export interface OpenAgents {
  /** Returns the agent, at most `cacheTtlSeconds` old; null if it is unknown or not open to visitors. */
  find(agentId: string): Promise<OpenAgent | null>;
  /**
   * Like `find`, but reads the agent again if its identity secret is not this one, because the secret may be newer than the
   * cached agent. It does so once per secret.
   */
  findWithSecret(agentId: string, identitySecretId: string): Promise<OpenAgent | null>;
}

interface OpenAgentsOptions {
  visitors: Pick<Visitors, 'agent'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  cacheTtlSeconds: number;
}

const MIB = 1_048_576;
/** Bytes of settings to cache. */
const CACHED = 16 * MIB;
/** Bytes of an entry without its settings. */
const ENTRY = 512;
const MAX_SECRETS = 10_000;

/** Looks up agents for visitors. Unknown and closed agents are cached, too. */
export function createOpenAgents({
  visitors,
  entitlementsOf,
  cacheTtlSeconds,
}: OpenAgentsOptions): OpenAgents {
  const cache = new LRUCache<string, { agent: OpenAgent | null }>({
    maxSize: CACHED,
    sizeCalculation: ({ agent }) => ENTRY + (agent === null ? 0 : JSON.stringify(agent.settings).length),
    ttl: Math.max(1, cacheTtlSeconds * 1000),
    fetchMethod: read,
    // If a newer read replaces this one, its callers still get its result.
    ignoreFetchAbort: true,
  });
  /** Secrets for which the agent was read again. Clients cannot invent them, because we sign the tokens with their ids. */
  const readFor = new LRUCache<string, Promise<void>>({ max: MAX_SECRETS });

  async function read(id: string): Promise<{ agent: OpenAgent | null }> {
    const found = await visitors.agent(id);
    return { agent: found && openAgent(found, entitlementsOf) };
  }

  async function readAgain(id: string, identitySecretId: string): Promise<void> {
    try {
      cache.set(id, await read(id));
    } catch (error) {
      readFor.delete(identitySecretId);
      throw error;
    }
  }

  async function find(agentId: string): Promise<OpenAgent | null> {
    if (!isUuid(agentId)) return null;
    const id = agentId.toLowerCase();
    const found = await cache.fetch(id, { forceRefresh: cacheTtlSeconds === 0 });
    return found?.agent ?? null;
  }

  return {
    find,
    async findWithSecret(agentId, identitySecretId) {
      const agent = await find(agentId);
      if (agent === null || agent.identitySecretId === identitySecretId) return agent;
      const reading = readFor.get(identitySecretId) ?? readAgain(agent.id, identitySecretId);
      readFor.set(identitySecretId, reading);
      await reading;
      return find(agentId);
    },
  };
}
