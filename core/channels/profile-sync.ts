import type { Agents } from '../actors/agent/agents.js';
import { ApiError } from '../errors/api-error.js';
import type { Sweep } from '../jobs/sweeper.js';
import type {
  Channel,
  ChannelAccess,
  ChannelFailure,
  ChannelItems,
  ChannelResource,
} from '../ports/channel.port.js';
import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Channels, ConnectionRow, ProfileRow, SyncError } from '../ports/store/channels/channels.js';
import { canonicalJson } from '../schemas/json.js';
import type { AccountAccess } from './account-access.js';
import { failureOf } from './connections.js';

export interface ProfileSync {
  /** Publishes the items, or removes all items if the list is empty. Throws ApiError. */
  publish(
    agentId: string,
    resource: ChannelResource,
    items: ChannelItems[ChannelResource],
  ): Promise<ProfileRow>;
  sweeps: Sweep[];
}

interface ProfileSyncOptions {
  channel: Channel;
  channels: Channels;
  agents: Agents;
  access: AccountAccess;
  clock: Clock;
  log: Log;
}

const BATCH = 20;
/** Maximum pause between two checks of the published items. The pause doubles until then. */
export const LONGEST_PAUSE_MS = 1_800_000;

const syncErrorOf = ({ code, httpStatus, upstreamCode }: ChannelFailure): SyncError => ({
  code,
  httpStatus,
  upstreamCode,
});

const syncFailed = ({ code, httpStatus, upstreamCode }: SyncError): ApiError =>
  new ApiError('SOCIAL_SYNC_FAILED', {
    details: { code, http_status: httpStatus, upstream_code: upstreamCode },
  });

const ours = (code: 'RECONNECT_REQUIRED' | 'INTERRUPTED'): SyncError => ({
  code,
  httpStatus: null,
  upstreamCode: null,
});

const isSame = (a: ChannelItems[ChannelResource], b: ChannelItems[ChannelResource]): boolean =>
  canonicalJson(a as never) === canonicalJson(b as never);

/** Publishes the persistent menu and the conversation starters. */
export function createProfileSync({
  channel,
  channels,
  agents,
  access,
  clock,
  log,
}: ProfileSyncOptions): ProfileSync {
  /** Publishes once. If the outcome is unclear, reads the published items. Returns the failure, or null. */
  async function attempt(
    current: ChannelAccess,
    resource: ChannelResource,
    items: ChannelItems[ChannelResource],
  ): Promise<ChannelFailure | null> {
    try {
      if (items.length === 0) await channel.clear(current, resource);
      else await channel.publish(current, resource, items as never);
      return null;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.sure) return failure;
      const published = await channel.profile(current, resource).catch(() => null);
      return published !== null && isSame(published, items) ? null : failure;
    }
  }

  /** Reads the published items. If that fails, postpones the next check and returns null. */
  async function read(
    { agentId, resource, leaseToken, leaseUntilMs }: ProfileRow,
    connection: ConnectionRow,
    current: ChannelAccess,
  ): Promise<ChannelItems[ChannelResource] | null> {
    try {
      return await channel.profile(current, resource);
    } catch (error) {
      const restsUntilMs = await access.noteFailure(connection, failureOf(error));
      const nowMs = clock.now();
      const pauseMs = Math.min(LONGEST_PAUSE_MS, nowMs - (leaseUntilMs ?? nowMs));
      const lookAtMs = Math.max(restsUntilMs, nowMs + pauseMs);
      await channels.putOffLook({ agentId, resource, leaseToken, lookAtMs });
      log.warn(
        { err: error, agentId },
        'the published items of an interrupted sync could not be read; will retry',
      );
      return null;
    }
  }

  /** Ends a sync whose process has died: reads the published items, and publishes nothing. */
  async function recover(agentId: string, resource: ChannelResource): Promise<void> {
    const [profile, connection] = await Promise.all([
      channels.profile(agentId, resource),
      channels.connection(agentId),
    ]);
    if (profile?.leaseToken == null || (profile.leaseUntilMs ?? 0) > clock.now()) return;
    const { leaseToken, desired } = profile;
    const current = connection?.status === 'connected' ? access.of(connection) : null;
    const live =
      connection === null || current === null ? undefined : await read(profile, connection, current);
    if (live === null) return;
    const isDone = live !== undefined && desired !== null && isSame(live, desired);
    await agents.send(agentId, {
      kind: 'endSync',
      resource,
      leaseToken,
      ...(live === undefined ? {} : { live }),
      error: isDone ? null : ours('INTERRUPTED'),
    });
  }

  return {
    async publish(agentId, resource, items) {
      const { connection, leaseToken } = await agents.send(agentId, { kind: 'beginSync', resource, items });
      const current = access.of(connection);
      if (leaseToken === null || current === null) {
        if (leaseToken !== null)
          await agents.send(agentId, {
            kind: 'endSync',
            resource,
            leaseToken,
            error: ours('RECONNECT_REQUIRED'),
          });
        throw resource === 'conversation-starters'
          ? new ApiError('SOCIAL_RECONNECT_REQUIRED')
          : syncFailed(ours('RECONNECT_REQUIRED'));
      }
      const failure = await attempt(current, resource, items);
      const error = failure && syncErrorOf(failure);
      const { profile } = await agents.send(agentId, {
        kind: 'endSync',
        resource,
        leaseToken,
        ...(failure === null ? { live: items } : {}),
        error,
      });
      if (failure !== null) await access.noteFailure(connection, failure);
      if (error !== null) throw syncFailed(error);
      if (profile === null) throw syncFailed(ours('INTERRUPTED'));
      return profile;
    },
    sweeps: [
      {
        name: 'channel-syncs',
        everyMs: 5000,
        async run() {
          const lost = await channels.lostSyncs(clock.now(), BATCH);
          for (const { agentId, resource } of lost)
            await recover(agentId, resource).catch((error: unknown) => {
              log.warn({ err: error, agentId }, 'an interrupted sync could not be ended; will retry');
            });
          return false;
        },
      },
    ],
  };
}
