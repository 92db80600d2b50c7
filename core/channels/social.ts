import type { Agents } from '../actors/agent/agents.js';
import type { Sweep } from '../jobs/sweeper.js';
import type { Channel } from '../ports/channel.port.js';
import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Channels, ConnectionRow } from '../ports/store/channels.js';
import type { Keyring } from '../secrets/keyring.js';
import { createAccountAccess } from './account-access.js';
import { type Connections, createConnections } from './connections.js';
import { createProfileSync, type ProfileSync } from './profile-sync.js';

/** The social channel of all agents. */
export interface Social {
  /** Whether the installation has a platform. */
  isConfigured: boolean;
  /** The connection of an agent; null if it has none or was disconnected. */
  connection(agentId: string): Promise<ConnectionRow | null>;
  connections: Connections;
  profiles: ProfileSync;
  sweeps: Sweep[];
}

export interface SocialOptions {
  channel: Channel;
  channels: Channels;
  agents: Agents;
  keyring: Keyring;
  clock: Clock;
  log: Log;
}

export function createSocial(options: SocialOptions): Social {
  const { channel, channels } = options;
  const access = createAccountAccess(options);
  const connections = createConnections({ ...options, access });
  const profiles = createProfileSync({ ...options, access });
  return {
    isConfigured: channel.isConfigured,
    async connection(agentId) {
      const row = await channels.connection(agentId);
      return row?.status === 'disconnected' ? null : row;
    },
    connections,
    profiles,
    sweeps: channel.isConfigured ? [...connections.sweeps, ...profiles.sweeps] : [],
  };
}
