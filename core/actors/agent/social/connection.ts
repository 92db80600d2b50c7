import { v7 as uuidv7 } from 'uuid';
import { type ApiError, existing, invalidField } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import { AccountTaken, type ConnectionRow, type Pace } from '../../../ports/store/channels/channels.js';
import type { AgentTurnContext, Handler } from '../handler.js';

/** The rate limits of an account that has not sent anything yet. */
const UNUSED: Pace = { restUntilMs: 0, restMs: 0, sendsTatMs: 0, repliesTatMs: 0 };

/** Maximum time until the renewal of a token, in seconds: 30 days. */
export const RENEWAL_S = 30 * 86_400;

/** Returns when to renew a token: after half of its remaining lifetime. */
const renewAtOf = (now: number, expiresAt: number | null): number | null =>
  expiresAt === null ? null : Math.min(Math.floor((now + expiresAt) / 2), now + RENEWAL_S);

export async function connectionOf({ turn }: Pick<AgentTurnContext, 'turn'>): Promise<ConnectionRow> {
  const connection = await turn.channel.connection();
  return existing(connection?.status === 'disconnected' ? null : connection, 'SOCIAL_NOT_CONNECTED');
}

export const accountTaken = (): ApiError =>
  invalidField('accessToken', 'belongs to an account that is connected to another agent');

/** Ends everything that depends on the account: live automations, menu and starters, pending events and messages. */
async function leaveAccount({ channel }: AgentTurnContext['turn'], now: number): Promise<void> {
  await channel.draftAutomations(now);
  await channel.deleteProfiles();
  await channel.stopAll(now);
}

export const connectSocial: Handler<'connectSocial'> = async ({ turn, rules }, { account, token }) => {
  const now = seconds(rules.clock.now());
  const { accountId, username, senderId, permissions, tokenExpiresAt } = account;
  const before = await turn.channel.connection();
  const isSame = before?.lastAccountId === accountId;
  const own = {
    agentId: turn.agent.id,
    workspaceId: turn.agent.workspaceId,
    accountId,
    lastAccountId: accountId,
    username,
    senderId,
    status: 'connected' as const,
    permissions: [...permissions],
    token,
    tokenId: uuidv7(),
    tokenExpiresAt,
    renewAt: renewAtOf(now, tokenExpiresAt),
    connectedAt: isSame && before.status !== 'disconnected' ? before.connectedAt : now,
    reconnectReason: null,
    disconnectedAt: null,
  };
  const connection = isSame ? { ...before, ...own } : { ...own, ...UNUSED };
  if (before && !isSame) await leaveAccount(turn, now);
  const { channel } = turn;
  // A new token does not change how the platform limits the account.
  const stored = isSame ? channel.changeConnection(own) : channel.putConnection(connection);
  await stored.catch((error: unknown) => {
    throw error instanceof AccountTaken ? accountTaken() : error;
  });
  return { connection, left: before && !isSame ? before : null };
};

export const disconnectSocial: Handler<'disconnectSocial'> = async ({ turn, rules }) => {
  const now = seconds(rules.clock.now());
  const before = await connectionOf({ turn });
  await turn.channel.changeConnection({
    accountId: null,
    status: 'disconnected',
    token: null,
    tokenId: null,
    renewAt: null,
    disconnectedAt: now,
  });
  await leaveAccount(turn, now);
  return { before };
};

/** Marks the connection as refused, unless its token was replaced in the meantime. */
export const requireReconnect: Handler<'requireReconnect'> = async ({ turn, rules }, { tokenId, reason }) => {
  const before = await turn.channel.connection();
  if (before?.status !== 'connected' || before.tokenId !== tokenId) return null;
  const { accountId, agentId } = before;
  await turn.channel.changeConnection({
    status: 'reconnect_required',
    reconnectReason: reason,
    renewAt: null,
  });
  turn.announce({
    type: 'channel.reconnect_required',
    at: seconds(rules.clock.now()),
    data: { agentId, accountId, reason },
  });
  return null;
};

/** Stores the result of an inspection or renewal, unless the token was replaced in the meantime. */
export const refreshSocial: Handler<'refreshSocial'> = async ({ turn, rules }, { tokenId, found }) => {
  const now = seconds(rules.clock.now());
  const before = await turn.channel.connection();
  if (before?.status !== 'connected' || before.tokenId !== tokenId) return null;
  const { renewed, permissions, retryAt } = found;
  await turn.channel.changeConnection({
    ...(renewed ? { ...renewed, tokenId: uuidv7(), renewAt: renewAtOf(now, renewed.tokenExpiresAt) } : {}),
    ...(permissions ? { permissions: [...permissions] } : {}),
    ...(retryAt === undefined ? {} : { renewAt: retryAt }),
  });
  return null;
};
