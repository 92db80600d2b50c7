import type { Agents } from '../actors/agent/agents.js';
import type { Channel, ChannelAccess, ChannelFailure } from '../ports/channel.port.js';
import type { Log } from '../ports/log.port.js';
import type { ConnectionRow } from '../ports/store/channels.js';
import { AgentGone } from '../ports/store/store-errors.js';
import { type Keyring, SecretUnreadable } from '../secrets/keyring.js';

/** Acts as connected accounts, and notes what the platform's refusals say about their tokens. */
export interface AccountAccess {
  /** Decrypts the token of a connection. Null if it has none, or it cannot be decrypted. */
  of(connection: ConnectionRow): ChannelAccess | null;
  /** Stores that a token was refused or lacks a permission. */
  noteFailure(connection: ConnectionRow, failure: Pick<ChannelFailure, 'code'>): Promise<void>;
}

interface AccountAccessOptions {
  agents: Agents;
  channel: Pick<Channel, 'inspect'>;
  keyring: Pick<Keyring, 'open'>;
  log: Log;
}

export function createAccountAccess({ agents, channel, keyring, log }: AccountAccessOptions): AccountAccess {
  const requireReconnect = async (
    { agentId, tokenId }: ConnectionRow,
    reason: ChannelFailure['code'],
  ): Promise<void> => {
    if (tokenId === null) return;
    log.warn({ agentId, reason }, 'the social channel of an agent has to be connected again');
    await agents.ask(agentId, { kind: 'requireReconnect', tokenId, reason }).catch((error: unknown) => {
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

  return {
    of: access,
    async noteFailure(connection, { code }) {
      if (code === 'TOKEN_INVALID') return requireReconnect(connection, code);
      const { agentId, tokenId } = connection;
      const token = code === 'PERMISSION_MISSING' ? access(connection)?.token : undefined;
      if (token === undefined || tokenId === null) return;
      const account = await channel.inspect(token).catch(() => null);
      if (account === null) return;
      if (!account.permissions.includes('messages')) return requireReconnect(connection, code);
      await agents.ask(agentId, {
        kind: 'refreshSocial',
        tokenId,
        found: { permissions: account.permissions },
      });
    },
  };
}
