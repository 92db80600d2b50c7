import type { Agents } from '../actors/agent/agents.js';
import type { Channel, ChannelAccess, ChannelFailure } from '../ports/channel.port.js';
import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { ChannelFlow } from '../ports/store/channels/channel-flow.js';
import type { ConnectionRow } from '../ports/store/channels/channels.js';
import { AgentGone } from '../ports/store/store-errors.js';
import { type Keyring, SecretUnreadable } from '../secrets/keyring.js';

/** Opens the tokens of connected accounts, and records why the platform refuses them. */
export interface AccountAccess {
  /** Decrypts the token of a connection. Returns null if the connection has none, or if it cannot be decrypted. */
  of(connection: ConnectionRow): ChannelAccess | null;
  /**
   * Records a refusal of the platform: an invalid token, a missing permission, or a rate limit. Returns when the rate limit
   * ends, in Unix milliseconds; 0 for other refusals.
   */
  noteFailure(connection: ConnectionRow, failure: Pick<ChannelFailure, 'code'>): Promise<number>;
}

interface AccountAccessOptions {
  agents: Agents;
  channel: Pick<Channel, 'inspect'>;
  flow: Pick<ChannelFlow, 'rest'>;
  keyring: Pick<Keyring, 'open'>;
  clock: Clock;
  log: Log;
}

export const BLOCKED_MS = 3_600_000;

export function createAccountAccess(options: AccountAccessOptions): AccountAccess {
  const { agents, channel, flow, keyring, clock, log } = options;

  const requireReconnect = async (
    { agentId, tokenId }: ConnectionRow,
    reason: ChannelFailure['code'],
  ): Promise<void> => {
    if (tokenId === null) return;
    log.warn(
      { agentId, reason },
      'the platform refuses the token of an agent; connect its social channel again',
    );
    await agents.send(agentId, { kind: 'requireReconnect', tokenId, reason }).catch((error: unknown) => {
      if (!(error instanceof AgentGone)) throw error;
    });
  };

  const access = (connection: ConnectionRow): ChannelAccess | null => {
    const { agentId, token, senderId } = connection;
    if (token === null) return null;
    try {
      return { token: Buffer.from(keyring.open(agentId, token)).toString(), senderId };
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      log.error({ err: error, agentId }, 'the token of a social account cannot be decrypted');
      return null;
    }
  };

  async function inspectAgain(connection: ConnectionRow): Promise<void> {
    const { agentId, tokenId } = connection;
    const token = access(connection)?.token;
    if (token === undefined || tokenId === null) return;
    const account = await channel.inspect(token).catch(() => null);
    if (account === null) return;
    const { permissions } = account;
    if (!permissions.includes('messages')) return requireReconnect(connection, 'PERMISSION_MISSING');
    await agents.send(agentId, { kind: 'refreshSocial', tokenId, found: { permissions } });
  }

  return {
    of: access,
    async noteFailure(connection, { code }) {
      if (code === 'TOKEN_INVALID') await requireReconnect(connection, code);
      if (code === 'PERMISSION_MISSING') await inspectAgain(connection);
      if (code !== 'RATE_LIMITED' && code !== 'BLOCKED') return 0;
      return flow.rest(connection.agentId, clock.now(), code === 'BLOCKED' ? BLOCKED_MS : null);
    },
  };
}
