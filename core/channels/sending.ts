import { createWorkRounds, type WorkRounds } from '../jobs/work-rounds.js';
import type { Channel, ChannelFailure } from '../ports/channel.port.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { ChannelFlow, OutgoingRow, OutgoingStatus } from '../ports/store/channels/channel-flow.js';
import type { ConnectionRow, SyncError } from '../ports/store/channels/channels.js';
import type { AccountAccess } from './account-access.js';
import { awayCodes, failureOf } from './connections.js';
import { hashOf } from './new-message.js';
import type { SentMessages } from './sent-messages.js';

interface SendingOptions {
  channel: Channel;
  flow: ChannelFlow;
  access: AccountAccess;
  sent: SentMessages;
  clock: Clock;
  onEnd: (status: OutgoingStatus) => void;
  log: Log;
}

type Sending = { row: OutgoingRow; connection: ConnectionRow };

/** Maximum duration of a call to the platform. */
const CALL_MS = 15_000;
/** Lease of a message. Long enough to claim messages of many accounts before the first call. */
const LEASE_MS = 2 * CALL_MS;
const AT_ONCE = 50;
const PER_ROUND = 3;
/** Time after which to check whether a message with an unclear outcome has arrived. */
const LOOK_MS = 5000;
/** How far to look back if the time of the attempt is unknown. */
const LOOK_BACK_MS = 86_400_000;
/** Tolerated clock difference with the platform, in seconds. */
const SKEW_S = 5;
export const SENDING_RETRY = { firstMs: 5000, longestMs: 1_800_000 };

const errorOf = ({ code, httpStatus, upstreamCode }: ChannelFailure): SyncError => ({
  code,
  httpStatus,
  upstreamCode,
});

const ours = (code: 'RECONNECT_REQUIRED' | 'WINDOW_CLOSED'): SyncError => ({
  code,
  httpStatus: null,
  upstreamCode: null,
});

const backoffMs = (attempts: number): number =>
  Math.min(SENDING_RETRY.longestMs, SENDING_RETRY.firstMs * 2 ** Math.max(0, attempts - 1));

/** Sends queued messages, each at most once, and resolves sends with an unclear outcome. */
export function createSending(options: SendingOptions): { sends: WorkRounds; unclear: WorkRounds } {
  const { channel, flow, access, sent, clock, onEnd, log } = options;

  async function end(
    row: OutgoingRow,
    status: 'failed' | 'expired' | 'unconfirmed',
    error: SyncError | null,
  ): Promise<void> {
    if (!(await flow.endOutgoing(row, { status, error, now: seconds(clock.now()) }))) return;
    onEnd(status);
    log.info(
      { agentId: row.agentId, deliveryId: row.id, status, code: error?.code },
      'a channel message ended',
    );
  }

  const again = async (row: OutgoingRow, dueAtMs: number, error: SyncError | null): Promise<void> => {
    const status = await flow.again(row, { dueAtMs, error, now: seconds(clock.now()) });
    if (status === 'cancelled') onEnd(status);
  };

  async function refused({ row, connection }: Sending, failure: ChannelFailure): Promise<void> {
    const nowMs = clock.now();
    const { code } = failure;
    if (!failure.sure) {
      // The row stays claimed until an echo of the message, or a check of the thread, decides.
      await flow.postpone(row, { dueAtMs: nowMs + LOOK_MS, error: errorOf(failure) });
      return;
    }
    if (code === 'WINDOW_CLOSED') return end(row, 'expired', errorOf(failure));
    if (!awayCodes.has(code)) {
      await end(row, 'failed', errorOf(failure));
      await access.noteFailure(connection, failure);
      return;
    }
    const restsUntilMs = await access.noteFailure(connection, failure);
    await again(row, Math.max(restsUntilMs, nowMs + backoffMs(row.attempts)), errorOf(failure));
  }

  async function send({ row, connection }: Sending): Promise<void> {
    const nowMs = clock.now();
    const leftMs = row.dueAtMs - nowMs;
    // When the lease ends, another process checks for the message and may send it. So call only within the lease.
    if (leftMs < CALL_MS) return leftMs > 0 ? again(row, nowMs, row.error) : undefined;
    const current = connection.status === 'connected' ? access.of(connection) : null;
    if (current === null) return end(row, 'failed', ours('RECONNECT_REQUIRED'));
    if (row.expiresAtMs <= nowMs) return end(row, 'expired', ours('WINDOW_CLOSED'));
    const { id, text, personId, commentId } = row;
    try {
      const { messageId, personId: recipient } =
        commentId !== null
          ? await channel.privateReply(current, { commentId, text, id })
          : await channel.send(current, { personId: personId ?? '', text, id });
      await sent.confirm(row, { upstreamHash: hashOf(messageId), personId: recipient });
      if (connection.restMs > 0) await flow.endRest(row.agentId);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ChannelFailure') throw error;
      await refused({ row, connection }, failureOf(error));
    }
  }

  /** Checks whether a message with an unclear outcome has arrived. Sends it again only if it certainly has not. */
  async function resolve({ row, connection }: { row: OutgoingRow; connection: ConnectionRow | null }) {
    const nowMs = clock.now();
    const { personId, text } = row;
    const isConnected = connection?.status === 'connected' && connection.accountId === row.accountId;
    const current = isConnected ? access.of(connection) : null;
    // Without the author of the comment, there is no thread to check. Only an echo could confirm the message.
    if (!isConnected || current === null || personId === null) return end(row, 'unconfirmed', row.error);
    const beganAtMs = row.beganAtMs ?? nowMs;
    // If the attempt seems to be in the future, the clock was ahead. Then look back as far as the platform allows.
    const since = seconds(beganAtMs > nowMs ? nowMs - LOOK_BACK_MS : beganAtMs) - SKEW_S;
    const recent = await channel.recent(current, personId, since).catch((error: unknown) => failureOf(error));
    if (recent instanceof Error) {
      const restsUntilMs = await access.noteFailure(connection, recent);
      // Check again later if the platform is unavailable. Any other refusal would recur, and delay later messages.
      if (!awayCodes.has(recent.code) || row.expiresAtMs <= nowMs) return end(row, 'unconfirmed', row.error);
      // Wait as long again as since the attempt.
      const pauseMs = Math.min(SENDING_RETRY.longestMs, Math.max(LOOK_MS, nowMs - beganAtMs));
      await flow.postpone(row, { dueAtMs: Math.max(restsUntilMs, nowMs + pauseMs), error: errorOf(recent) });
      return;
    }
    if (recent === null) return end(row, 'unconfirmed', row.error);
    for (const message of recent) {
      if (!message.isFromAccount || message.text !== text) continue;
      const upstreamHash = hashOf(message.messageId);
      // Skip messages that are already known: an earlier message may have the same text.
      if (await flow.knowsUpstream(row.agentId, upstreamHash)) continue;
      await sent.confirm(row, { upstreamHash, personId });
      return;
    }
    await again(row, nowMs, row.error);
    rounds.sends.soon();
  }

  const rounds = {
    sends: createWorkRounds<Sending>({
      claim: (limit) => flow.claimOutgoing(clock.now(), { leaseUntilMs: clock.now() + LEASE_MS, limit }),
      work: send,
      atOnce: AT_ONCE,
      perRound: PER_ROUND,
      log,
    }),
    unclear: createWorkRounds({
      claim: (limit) => flow.claimUnclear(clock.now(), { leaseUntilMs: clock.now() + LEASE_MS, limit }),
      work: resolve,
      atOnce: AT_ONCE,
      perRound: PER_ROUND,
      log,
    }),
  };
  return rounds;
}
