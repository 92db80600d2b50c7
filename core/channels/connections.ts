import type { Agents } from '../actors/agent/agents.js';
import { accountTaken } from '../actors/agent/social/connection.js';
import { ApiError, invalidField } from '../errors/api-error.js';
import type { ChannelFailureCode } from '../errors/channel-failures.js';
import type { Sweep } from '../jobs/sweeper.js';
import {
  type Channel,
  type ChannelAccount,
  ChannelFailure,
  channelResources,
} from '../ports/channel.port.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { ChannelFlow } from '../ports/store/channels/channel-flow.js';
import type { Channels, ConnectionRow } from '../ports/store/channels/channels.js';
import type { Keyring } from '../secrets/keyring.js';
import type { AccountAccess } from './account-access.js';

/** Failures after which the platform may accept the same call later. */
export const awayCodes: ReadonlySet<ChannelFailureCode> = new Set([
  'RATE_LIMITED',
  'BLOCKED',
  'PLATFORM_UNAVAILABLE',
  'TIMEOUT',
  'NETWORK',
]);

const DAY_S = 86_400;
const HOUR_S = 3600;
const MINUTE_S = 60;
const BATCH = 50;
/** How long the row of a connection is kept after its end. */
const KEEP_S = 30 * DAY_S;

/** Converts an error of the plugin. Recognises failures by their fields, because a plugin may use a copy of our class. */
export const failureOf = (error: unknown): ChannelFailure => {
  const { code, sure, httpStatus, upstreamCode } = error as Partial<ChannelFailure>;
  if (error instanceof ChannelFailure) return error;
  if (error instanceof Error && error.name === 'ChannelFailure' && code !== undefined)
    return new ChannelFailure(code, {
      sure: sure === true,
      httpStatus: httpStatus ?? null,
      upstreamCode: upstreamCode ?? null,
    });
  return new ChannelFailure('UNKNOWN', { sure: false });
};

export interface Connections {
  /** Checks the token and subscribes its account to events. Throws 400 for a bad token, 503 if the platform is away. */
  inspect(agentId: string, accessToken: string): Promise<{ account: ChannelAccount; token: Uint8Array }>;
  /** Unsubscribes a former connection and clears its profile, once. Never rejects. */
  leave(before: ConnectionRow): Promise<void>;
  sweeps: Sweep[];
}

interface ConnectionsOptions {
  channel: Channel;
  channels: Channels;
  flow: Pick<ChannelFlow, 'agentsOf'>;
  agents: Agents;
  access: AccountAccess;
  keyring: Pick<Keyring, 'seal'>;
  clock: Clock;
  log: Log;
}

const platformAway = (cause: ChannelFailure): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'The platform is not available. Nothing was changed; try again in a few seconds.',
    headers: { 'retry-after': '5' },
    cause,
  });

export function createConnections(options: ConnectionsOptions): Connections {
  const { channel, channels, flow, agents, access, keyring, clock, log } = options;

  const ownerOf = async (accountId: string): Promise<string | undefined> =>
    (await flow.agentsOf([accountId])).get(accountId);

  const refuse = (error: unknown): never => {
    const failure = failureOf(error);
    // An unreadable response, such as the error page of a proxy, does not mean that the token is bad.
    if (awayCodes.has(failure.code) || !failure.sure) throw platformAway(failure);
    throw invalidField('accessToken', 'is not accepted by the platform: create a new token there');
  };

  async function renew(connection: ConnectionRow): Promise<void> {
    const { agentId, tokenId, tokenExpiresAt } = connection;
    const current = access.of(connection);
    if (tokenId === null) return;
    const now = seconds(clock.now());
    try {
      if (current === null || (tokenExpiresAt !== null && tokenExpiresAt <= now))
        throw new ChannelFailure('TOKEN_INVALID', { sure: true });
      const { token, tokenExpiresAt: expiresAt } = await channel.renew(current.token);
      const renewed = { token: keyring.seal(agentId, Buffer.from(token)), tokenExpiresAt: expiresAt };
      await agents.send(agentId, { kind: 'refreshSocial', tokenId, found: { renewed } });
    } catch (error) {
      const failure = failureOf(error);
      await access.noteFailure(connection, failure);
      if (failure.code === 'TOKEN_INVALID') return;
      const pause = awayCodes.has(failure.code) ? HOUR_S : DAY_S;
      // At most half of the remaining time, so that further attempts are possible before the token expires.
      const rest = tokenExpiresAt === null ? pause : Math.floor((tokenExpiresAt - now) / 2);
      const retryAt = now + Math.max(MINUTE_S, Math.min(pause, rest));
      await agents.send(agentId, { kind: 'refreshSocial', tokenId, found: { retryAt } });
    }
  }

  return {
    async inspect(agentId, accessToken) {
      const account = await channel.inspect(accessToken).catch(refuse);
      if (!account.permissions.includes('messages'))
        throw invalidField('accessToken', 'lacks the permission for messages: create a token that has it');
      const owner = await ownerOf(account.accountId);
      if (owner !== undefined && owner !== agentId) throw accountTaken();
      await channel.connect({ token: accessToken, senderId: account.senderId }).catch(refuse);
      return { account, token: keyring.seal(agentId, Buffer.from(accessToken)) };
    },
    async leave(before) {
      const current = access.of(before);
      if (current === null) return;
      // Another agent may have been connected to the account since.
      if (await ownerOf(before.lastAccountId).catch(() => undefined)) return;
      const calls = [
        ...channelResources.map((resource) => channel.clear(current, resource)),
        channel.disconnect(current),
      ];
      const failed = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
      if (failed.length > 0)
        log.warn({ agentId: before.agentId }, 'a disconnected account could not be cleared on the platform');
    },
    sweeps: [
      {
        name: 'channel-tokens',
        everyMs: 60_000,
        async run() {
          const due = await channels.toRenew(seconds(clock.now()), BATCH);
          let failed = 0;
          for (const connection of due)
            await renew(connection).catch((error: unknown) => {
              failed += 1;
              log.warn(
                { err: error, agentId: connection.agentId },
                'a token could not be renewed; will retry',
              );
            });
          // Connections whose renewal failed are still due, so another batch would contain them again.
          return due.length === BATCH && failed === 0;
        },
      },
      {
        name: 'channel-connections',
        everyMs: 60_000,
        run: async () => (await channels.forgetConnections(seconds(clock.now()) - KEEP_S, BATCH)) === BATCH,
      },
    ],
  };
}
