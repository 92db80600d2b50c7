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
   * Like `find`. If the agent has another identity secret than this one, it is read again, once per secret: a token may
   * name a secret that is newer than the cached agent.
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

/** Looks up agents for visitors. Unknown and closed ones are cached, too, and need the same statement. */
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
    // A read that another one overtook still answers its callers.
    ignoreFetchAbort: true,
  });
  /** Secrets for which the agent was read again. They cannot be invented, because only tokens of ours name them. */
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
