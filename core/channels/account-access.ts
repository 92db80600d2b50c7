import type { Agents } from '../actors/agent/agents.js';
import type { Channel, ChannelAccess, ChannelFailure } from '../ports/channel.port.js';
import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { ChannelFlow } from '../ports/store/channels/channel-flow.js';
import type { ConnectionRow } from '../ports/store/channels/channels.js';
import { AgentGone } from '../ports/store/store-errors.js';
import { type Keyring, SecretUnreadable } from '../secrets/keyring.js';

/** Acts as connected accounts, and notes what the platform's refusals say about their tokens. */
export interface AccountAccess {
  /** Decrypts the token of a connection. Null if it has none, or it cannot be decrypted. */
  of(connection: ConnectionRow): ChannelAccess | null;
  /**
   * Stores what a refusal says about the account: its token was refused or lacks a permission, or it must rest. Returns
   * the end of the rest in milliseconds; 0 without one.
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
    log.warn({ agentId, reason }, 'the social channel of an agent has to be connected again');
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
