import type { ChannelFailureCode } from '../../../core/errors/channel-failures.js';
import type { ChannelItems, ChannelPermission, ChannelResource } from '../../../core/ports/channel.port.js';
import type {
  AutomationRow,
  AutomationScope,
  AutomationStatus,
  AutomationType,
  ConnectionRow,
  ProfileRow,
  SyncError,
} from '../../../core/ports/store/channels/channels.js';
import type { Row } from '../database/connection.js';
import { bigint, bytes, json, long, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const channelConnections = table('channel_connections', {
  agentId: primary(uuid),
  workspaceId: uuid,
  accountId: orNull(text()),
  lastAccountId: text(),
  username: text(),
  senderId: text(),
  status: text<ConnectionRow['status']>(),
  permissions: json<ChannelPermission[]>(),
  token: orNull(bytes),
  tokenId: orNull(uuid),
  tokenExpiresAt: orNull(bigint),
  renewAt: orNull(bigint),
  connectedAt: bigint,
  reconnectReason: orNull(text<ChannelFailureCode>()),
  disconnectedAt: orNull(bigint),
  restUntilMs: bigint,
  restMs: bigint,
  sendsTatMs: bigint,
  repliesTatMs: bigint,
});

export const connectionRowOf = (row: Row): ConnectionRow => channelConnections.decode(row);

export const channelAutomations = table('channel_automations', {
  id: primary(uuid),
  agentId: uuid,
  type: text<AutomationType>(),
  status: text<AutomationStatus>(),
  name: text(),
  scope: orNull(text<AutomationScope>()),
  targetId: orNull(text()),
  keywords: json<string[]>(),
  message: orNull(long),
  liveTarget: orNull(text()),
  createdAt: bigint,
  updatedAt: bigint,
});

export const automationOf = (row: Row): AutomationRow => channelAutomations.decode(row);

export const channelProfiles = table('channel_profiles', {
  agentId: uuid,
  resource: text<ChannelResource>(),
  desired: orNull(json<ChannelItems[ChannelResource]>()),
  desiredAt: orNull(bigint),
  live: orNull(json<ChannelItems[ChannelResource]>()),
  confirmedAt: orNull(bigint),
  status: text<ProfileRow['status']>(),
  startedAt: orNull(bigint),
  leaseToken: orNull(uuid),
  leaseUntilMs: orNull(bigint),
  lookAtMs: orNull(bigint),
  error: orNull(json<SyncError>()),
});

export const profileRowOf = (row: Row): ProfileRow => channelProfiles.decode(row);
