import { targetFields } from '../../actors/agent/social/automations.js';
import { emptyProfile } from '../../actors/agent/social/profile.js';
import { handoverAt } from '../../conversations/handover/state.js';
import type { ChannelResource } from '../../ports/channel.port.js';
import { seconds } from '../../ports/clock.port.js';
import type { OutgoingRow, ThreadRow } from '../../ports/store/channels/channel-flow.js';
import type { AutomationRow, ConnectionRow, ProfileRow } from '../../ports/store/channels/channels.js';
import type { ConversationRow } from '../../ports/store/conversations/conversation-rows.js';

export const presentConnection = (row: ConnectionRow | null) =>
  row === null
    ? { connected: false }
    : {
        connected: row.status === 'connected',
        status: row.status,
        accountId: row.lastAccountId,
        username: row.username,
        permissions: row.permissions,
        tokenExpiresAt: row.tokenExpiresAt,
        connectedAt: row.connectedAt,
        reconnectReason: row.reconnectReason,
      };

export const presentAutomation = (row: AutomationRow) => ({
  id: row.id,
  type: row.type,
  status: row.status,
  name: row.name,
  [targetFields[row.type].scope]: row.scope,
  [targetFields[row.type].id]: row.targetId,
  keywords: row.keywords,
  message: row.message,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

export function presentProfile(agentId: string, resource: ChannelResource, row: ProfileRow | null) {
  const { desired, desiredAt, live, confirmedAt, status, startedAt, error } =
    row ?? emptyProfile(agentId, resource);
  return {
    desired: desired && { items: desired, updatedAt: desiredAt },
    live: live && { items: live, confirmedAt },
    sync: {
      status,
      startedAt,
      error: error && {
        code: error.code,
        http_status: error.httpStatus,
        upstream_code: error.upstreamCode,
      },
    },
  };
}

export function presentSocialConversation(
  { conversation, thread }: { conversation: ConversationRow; thread: ThreadRow },
  nowMs: number,
) {
  const { windowUntilMs } = thread;
  const handover = conversation.handover && handoverAt(conversation.handover, nowMs);
  const isPaused = handover?.state === 'human';
  return {
    paused: isPaused,
    pausedUntil: isPaused && handover.humanUntilMs !== null ? seconds(handover.humanUntilMs) : null,
    writableUntil: windowUntilMs > nowMs ? seconds(windowUntilMs) : null,
  };
}

export const presentChannelDelivery = (row: OutgoingRow) => ({
  id: row.id,
  conversationId: row.conversationId,
  kind: row.kind,
  status: row.status,
  attempts: row.attempts,
  error: row.error && {
    code: row.error.code,
    http_status: row.error.httpStatus,
    upstream_code: row.error.upstreamCode,
  },
  createdAt: row.createdAt,
  sentAt: row.sentAt,
});
