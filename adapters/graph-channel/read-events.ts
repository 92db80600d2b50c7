import { createHash } from 'node:crypto';
import type { ChannelEvent } from '../../core/ports/channel.port.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/schemas/json.js';

/**
 * Maximum length of an event's text in UTF-16 units; longer texts are truncated. The platform's own limit is lower.
 */
const TEXT = 4000;
const ID = /^[0-9A-Za-z_\-=.:$]{1,255}$/;
const NUMERIC_ID = /^[0-9_]{1,64}$/;

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? clean(value).slice(0, TEXT).toWellFormed() : null;
const clean = (text: string): string => text.replaceAll('\0', '');
const idOf = (value: JsonValue | undefined, form: RegExp = NUMERIC_ID): string | null => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && form.test(text) ? text : null;
};
const keyOf = (kind: string, id: string): string =>
  createHash('sha256').update(`${kind} ${id}`).digest('hex');

/** Converts a timestamp to Unix seconds. Messages have milliseconds, comments seconds. */
const secondsOf = (value: JsonValue | undefined): number => {
  const number = typeof value === 'number' && Number.isFinite(value) ? value : 0;
  return Math.floor(number > 1e11 ? number / 1000 : number);
};

/** Returns the events in the body of a request. Drops unknown and unused events, such as reactions. */
export function readEvents(body: JsonObject): ChannelEvent[] {
  return listOf(body.entry).flatMap((value) => {
    const entry = objectOf(value);
    const accountId = idOf(entry.id);
    if (accountId === null) return [];
    return [
      ...listOf(entry.messaging).flatMap((one) => messagingEvent(accountId, objectOf(one)) ?? []),
      ...listOf(entry.changes).flatMap((one) => commentEvent(accountId, objectOf(one), entry.time) ?? []),
    ];
  });
}

function messagingEvent(accountId: string, event: JsonObject): ChannelEvent | null {
  const message = objectOf(event.message);
  const isEcho = message.is_echo === true;
  const personId = idOf(objectOf(isEcho ? event.recipient : event.sender).id);
  const messageId = idOf(message.mid, ID);
  const at = secondsOf(event.timestamp);
  if (personId === null || personId === accountId) return null;
  if (isJsonObject(event.postback)) return tapEvent({ accountId, personId, at }, event.postback);
  if (messageId === null || message.is_deleted === true) return null;
  const text = textOf(message.text) ?? '';
  if (isEcho) {
    const deliveryId = textOf(message.metadata);
    return {
      kind: 'echo',
      accountId,
      personId,
      at,
      key: keyOf('echo', messageId),
      messageId,
      text,
      deliveryId,
    };
  }
  const attachments = listOf(message.attachments).map((one) =>
    objectOf(one).type === 'image' ? ('image' as const) : ('file' as const),
  );
  if (text === '' && attachments.length === 0) return null;
  const storyId = idOf(objectOf(objectOf(message.reply_to).story).id);
  const key = keyOf('message', messageId);
  return { kind: 'message', accountId, personId, at, key, messageId, text, attachments, storyId };
}

/**
 * Returns the event of a tap on a menu entry. The payload is the text of the entry, so that entries of an earlier
 * menu still work.
 */
function tapEvent(
  from: { accountId: string; personId: string; at: number },
  postback: JsonObject,
): ChannelEvent | null {
  const text = textOf(postback.payload) ?? textOf(postback.title);
  if (!text) return null;
  const id = idOf(postback.mid, ID) ?? `${from.personId} ${from.at} ${text}`;
  return { kind: 'tap', ...from, key: keyOf('tap', id), text };
}

function commentEvent(
  accountId: string,
  { field, value }: JsonObject,
  time: JsonValue | undefined,
): ChannelEvent | null {
  if (field !== 'comments') return null;
  const comment = objectOf(value);
  const personId = idOf(objectOf(comment.from).id);
  const commentId = idOf(comment.id);
  const postId = idOf(objectOf(comment.media).id);
  // Ignore replies, which have a parent, and the account's own comments, which would cause a loop.
  const isReply = comment.parent_id !== undefined && comment.parent_id !== null;
  if (personId === null || commentId === null || postId === null || isReply || personId === accountId)
    return null;
  const text = textOf(comment.text) ?? '';
  const key = keyOf('comment', commentId);
  return { kind: 'comment', accountId, personId, at: secondsOf(time), key, commentId, postId, text };
}
