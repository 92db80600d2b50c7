import { v7 as uuidv7 } from 'uuid';
import { ApiError } from '../../../errors/api-error.js';
import type { ChannelResource } from '../../../ports/channel.port.js';
import { seconds } from '../../../ports/clock.port.js';
import type { ProfileRow } from '../../../ports/store/channels/channels.js';
import type { Handler } from '../handler.js';
import { connectionOf } from './connection.js';

/** Lease of a sync, in milliseconds. Longer than publishing takes, which is at most 15 s. */
export const SYNC_LEASE_MS = 30_000;

export const emptyProfile = <R extends ChannelResource>(agentId: string, resource: R): ProfileRow<R> => ({
  agentId,
  resource,
  desired: null,
  desiredAt: null,
  live: null,
  confirmedAt: null,
  status: 'idle',
  startedAt: null,
  leaseToken: null,
  leaseUntilMs: null,
  lookAtMs: null,
  error: null,
});

/** Starts a sync unless another one is in progress. */
export const beginSync: Handler<'beginSync'> = async ({ turn, rules }, { resource, items }) => {
  const nowMs = rules.clock.now();
  const connection = await connectionOf({ turn });
  if (connection.status !== 'connected') return { connection, leaseToken: null };
  const before = (await turn.channel.profile(resource)) ?? emptyProfile(turn.agent.id, resource);
  if ((before.leaseUntilMs ?? 0) > nowMs) throw new ApiError('SOCIAL_SYNC_IN_PROGRESS');
  const leaseToken = uuidv7();
  await turn.channel.putProfile({
    ...before,
    desired: items,
    desiredAt: seconds(nowMs),
    status: 'running',
    startedAt: seconds(nowMs),
    leaseToken,
    leaseUntilMs: nowMs + SYNC_LEASE_MS,
    lookAtMs: null,
    error: null,
  });
  return { connection, leaseToken };
};

/** Ends a sync, unless another one has begun. An undefined `live` keeps the stored items. */
export const endSync: Handler<'endSync'> = async ({ turn, rules }, { resource, leaseToken, live, error }) => {
  const now = seconds(rules.clock.now());
  const before = await turn.channel.profile(resource);
  if (!before || before.leaseToken !== leaseToken) return { profile: null };
  const profile: ProfileRow = {
    ...before,
    ...(live === undefined ? {} : { live, confirmedAt: now }),
    status: error === null ? 'idle' : 'failed',
    leaseToken: null,
    leaseUntilMs: null,
    lookAtMs: null,
    error,
  };
  await turn.channel.putProfile(profile);
  return { profile };
};
