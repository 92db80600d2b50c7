import { LRUCache } from 'lru-cache';
import type { Visitors } from '../ports/store/visitors.js';
import type { Workspace } from '../ports/store/workspaces.js';
import { isUuid } from '../schemas/uuid.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { type OpenAgent, openAgent } from './open-agent.js';

export interface OpenAgents {
  /** Returns the agent, at most `cacheTtlSeconds` old; null if it is unknown or not open to visitors. */
  find(agentId: string): Promise<OpenAgent | null>;
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
    fetchMethod: async (id) => {
      const found = await visitors.agent(id);
      return { agent: found && openAgent(found, entitlementsOf) };
    },
  });
  return {
    async find(agentId) {
      if (!isUuid(agentId)) return null;
      const id = agentId.toLowerCase();
      const found = await cache.fetch(id, { forceRefresh: cacheTtlSeconds === 0 });
      return found?.agent ?? null;
    },
  };
}
