import { type Channel, ChannelFailure, channelPermissions } from '../../core/ports/channel.port.js';
import type { ChannelPlugin } from '../../core/ports/plugin.port.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/schemas/json.js';
import { type Call, createCaller } from './call.js';
import { profileFields, profilePath, RECENT_MESSAGES, scopeEndings, subscribedFields } from './facts.js';
import { type GraphOptions, graphSchema } from './options.js';
import { readItems, writeItems } from './profile.js';
import { readEvents } from './read-events.js';
import { isSameText, isSignedBy, signatureOf } from './signature.js';

const CHALLENGE = /^[A-Za-z0-9_-]{1,256}$/;

const idOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
/**
 * Returns the objects in a list of a response. Throws if the list is missing, because an empty list would mean that
 * the platform has no items.
 */
function objectsOf(value: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(value)) throw new ChannelFailure('UNKNOWN', { sure: false });
  return value.filter(isJsonObject);
}
const timeOf = (value: JsonValue | undefined): number =>
  Math.floor(Date.parse(typeof value === 'string' ? value.replace(/\+0000$/, 'Z') : '') / 1000);
/** Returns the expiry in Unix seconds; null for 0, which means that the token does not expire. */
const expiryOf = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && value > 0 ? value : null;

/** Connects a platform with a graph-style HTTP API. */
export const graphChannel: ChannelPlugin<GraphOptions> = {
  name: 'graph',
  kind: 'channel',
  contract: 1,
  optionsSchema: graphSchema,
  async start({ options, now }) {
    const { verifyToken, accountField } = options;
    const secrets = [options.appSecret, ...(options.previousAppSecret ? [options.previousAppSecret] : [])];
    const caller = createCaller(options);
    let stopped = false;

    const call = (one: Call): Promise<JsonObject> => {
      if (stopped) return Promise.reject(new ChannelFailure('NETWORK', { sure: true }));
      return caller.call(one);
    };

    async function accountOf(token: string) {
      const fields = accountField ? `id,${accountField}{id,username}` : 'id,user_id,username';
      const me = await call({ method: 'GET', path: 'me', token, query: { fields } });
      const account = accountField ? objectOf(me[accountField]) : me;
      const accountId = idOf(account.user_id ?? account.id);
      if (accountId === '' || idOf(me.id) === '')
        throw new ChannelFailure('PERMISSION_MISSING', { sure: true });
      return { accountId, username: idOf(account.username), senderId: idOf(me.id) };
    }

    const post = async (
      { token, senderId }: { token: string; senderId: string },
      recipient: JsonObject,
      { text, id }: { text: string; id: string },
    ) => {
      const body = { recipient, message: { text, metadata: id } };
      const sent = await call({ method: 'POST', path: `${senderId}/messages`, token, body });
      const messageId = idOf(sent.message_id);
      const personId = idOf(sent.recipient_id);
      if (messageId === '' || personId === '') throw new ChannelFailure('UNKNOWN', { sure: false });
      return { messageId, personId };
    };

    const port: Channel = {
      isConfigured: true,
      verify(query) {
        const challenge = query['hub.challenge'] ?? '';
        const isRight = isSameText(query['hub.verify_token'] ?? '', verifyToken);
        return isRight && query['hub.mode'] === 'subscribe' && CHALLENGE.test(challenge) ? challenge : null;
      },
      isSigned: (headers) => signatureOf(headers) !== null,
      parse(headers, raw) {
        if (!isSignedBy(secrets, headers, raw)) return { ok: false, refusal: 'forbidden' };
        try {
          const body = JSON.parse(Buffer.from(raw).toString()) as JsonValue;
          if (isJsonObject(body)) return { ok: true, events: readEvents(body) };
        } catch {}
        return { ok: false, refusal: 'malformed' };
      },
      async inspect(token) {
        const account = await accountOf(token);
        const found = await call({
          method: 'GET',
          path: 'debug_token',
          token,
          query: { input_token: token },
        });
        const { scopes, expires_at, is_valid } = objectOf(found.data);
        if (is_valid === false) throw new ChannelFailure('TOKEN_INVALID', { sure: true });
        // If the response has no list of scopes, the scopes of the token are unknown.
        if (!Array.isArray(scopes)) throw new ChannelFailure('UNKNOWN', { sure: false });
        const granted = scopes.map(String);
        const permissions = channelPermissions.filter((permission) =>
          granted.some((scope) => scope.endsWith(scopeEndings[permission])),
        );
        return { ...account, permissions, tokenExpiresAt: expiryOf(expires_at) };
      },
      async connect({ token, senderId }) {
        const query = { subscribed_fields: subscribedFields };
        await call({ method: 'POST', path: `${senderId}/subscribed_apps`, token, query });
      },
      async disconnect({ token, senderId }) {
        await call({ method: 'DELETE', path: `${senderId}/subscribed_apps`, token });
      },
      async renew(token) {
        const query = { grant_type: 'refresh_token' };
        const renewed = await call({ method: 'GET', path: 'refresh_access_token', token, query });
        const seconds = Number(renewed.expires_in);
        const next = idOf(renewed.access_token);
        if (next === '') throw new ChannelFailure('UNKNOWN', { sure: false });
        const tokenExpiresAt = seconds > 0 ? Math.floor(now() / 1000 + seconds) : null;
        return { token: next, tokenExpiresAt };
      },
      async publish({ token, senderId }, resource, items) {
        const body = { [profileFields[resource]]: writeItems(resource, items) };
        await call({ method: 'POST', path: `${senderId}/${profilePath}`, token, body });
      },
      async clear({ token, senderId }, resource) {
        const body = { fields: [profileFields[resource]] };
        await call({ method: 'DELETE', path: `${senderId}/${profilePath}`, token, body });
      },
      async profile({ token, senderId }, resource) {
        const query = { fields: profileFields[resource] };
        const found = await call({ method: 'GET', path: `${senderId}/${profilePath}`, token, query });
        return readItems(resource, objectsOf(found.data)[0]?.[profileFields[resource]]);
      },
      send: (access, { personId, ...message }) => post(access, { id: personId }, message),
      privateReply: (access, { commentId, ...message }) => post(access, { comment_id: commentId }, message),
      async recent({ token, senderId }, personId, since) {
        const query = {
          user_id: personId,
          fields: `messages.limit(${RECENT_MESSAGES}){id,created_time,from,message}`,
        };
        const found = await call({ method: 'GET', path: `${senderId}/conversations`, token, query });
        const [thread] = objectsOf(found.data);
        if (thread === undefined) return [];
        const messages = objectOf(thread.messages).data;
        if (!Array.isArray(messages)) return null;
        const listed = objectsOf(messages).map((message) => ({
          messageId: idOf(message.id),
          text: typeof message.message === 'string' ? message.message : '',
          isFromAccount: idOf(objectOf(message.from).id) !== personId,
          at: timeOf(message.created_time),
        }));
        if (listed.some(({ at }) => Number.isNaN(at))) return null;
        const recent = listed.filter(({ at }) => at >= since);
        // If the page is full, older messages since that time may be missing.
        return recent.length === listed.length && listed.length >= RECENT_MESSAGES ? null : recent;
      },
      health: async () => (stopped ? { ok: false, reason: 'stopped' } : { ok: true }),
    };
    return {
      port,
      async stop() {
        stopped = true;
        await caller.close();
      },
    };
  },
};
