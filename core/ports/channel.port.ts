import type { ChannelFailureCode } from '../errors/channel-failures.js';
import type { Health } from './health.js';

export type { ChannelFailureCode };

/*
 * A social platform on which people write to an account. Core decides what is sent and when; the plugin knows the
 * platform's API, its error codes and the format of its events. Instants named `…At` are Unix seconds.
 */

export const channelPermissions = ['messages', 'comments'] as const;
export type ChannelPermission = (typeof channelPermissions)[number];

/** The account of a token. */
export interface ChannelAccount {
  /** Identifies the account in events. */
  accountId: string;
  username: string;
  /** Identifies the account in calls; another one than `accountId` with some kinds of login. */
  senderId: string;
  permissions: readonly ChannelPermission[];
  /** Null if the token does not expire. */
  tokenExpiresAt: number | null;
}

/** What a call needs to act as an account. */
export interface ChannelAccess {
  token: string;
  senderId: string;
}

/** `key` identifies the event among those of its account; it is the same whenever the platform repeats the event. */
export type ChannelEvent = { accountId: string; key: string; personId: string; at: number } & (
  | {
      kind: 'message';
      messageId: string;
      text: string;
      attachments: ('image' | 'file')[];
      /** The story that the message replies to, or null. */
      storyId: string | null;
    }
  /** The person tapped an entry of the menu or a conversation starter. */
  | { kind: 'tap'; text: string }
  /** A top-level comment of a person below a post of the account. */
  | { kind: 'comment'; commentId: string; postId: string; text: string }
  /** The account has sent a message to the person. `deliveryId` was given to `send`; null if another app or a human sent it. */
  | { kind: 'echo'; messageId: string; text: string; deliveryId: string | null }
);

export type ParsedEvents =
  | { ok: true; events: ChannelEvent[] }
  /** `forbidden`: the signature is missing or wrong. `malformed`: the signed body is not an event of the platform. */
  | { ok: false; refusal: 'forbidden' | 'malformed' };

export const channelResources = ['persistent-menu', 'conversation-starters'] as const;
export type ChannelResource = (typeof channelResources)[number];

export type MenuItem = { title: string; message: string } | { title: string; url: string };
export interface StarterItem {
  question: string;
}
export interface ChannelItems {
  'persistent-menu': MenuItem[];
  'conversation-starters': StarterItem[];
}

/** A message of a thread, as the platform lists it. */
export interface RecentMessage {
  messageId: string;
  text: string;
  isFromAccount: boolean;
  at: number;
}

export interface SentMessage {
  messageId: string;
  /** The recipient; the platform names the author of a comment only here. */
  personId: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Calls reject with ChannelFailure, 15 s after they were made at the latest. */
export interface Channel {
  /** False if no platform is configured. */
  readonly isConfigured: boolean;
  /** Returns the challenge to answer if the query of a subscription has the right token, else null. */
  verify(query: Readonly<Record<string, string>>): string | null;
  /** Returns whether the headers have a well-formed signature, so that the body is worth reading. */
  isSigned(headers: Headers): boolean;
  /** Checks the signature of the raw bytes before it parses them. Pure. */
  parse(headers: Headers, raw: Uint8Array): ParsedEvents;
  inspect(token: string): Promise<ChannelAccount>;
  /** Subscribes the account to events. */
  connect(access: ChannelAccess): Promise<void>;
  disconnect(access: ChannelAccess): Promise<void>;
  /** Extends the life of a token. */
  renew(token: string): Promise<{ token: string; tokenExpiresAt: number | null }>;
  publish<R extends ChannelResource>(
    access: ChannelAccess,
    resource: R,
    items: ChannelItems[R],
  ): Promise<void>;
  clear(access: ChannelAccess, resource: ChannelResource): Promise<void>;
  /** Returns what is published; empty if nothing is. */
  profile<R extends ChannelResource>(access: ChannelAccess, resource: R): Promise<ChannelItems[R]>;
  /** The platform repeats `id` in the echo of the message. */
  send(access: ChannelAccess, message: { personId: string; text: string; id: string }): Promise<SentMessage>;
  /** Sends a message to the author of a comment. */
  privateReply(
    access: ChannelAccess,
    message: { commentId: string; text: string; id: string },
  ): Promise<SentMessage>;
  /** Returns the messages of the thread since `since`; null if they cannot be listed completely. */
  recent(access: ChannelAccess, personId: string, since: number): Promise<RecentMessage[] | null>;
  health(): Promise<Health>;
}

/** `message` is ours: it never has text of the platform, nor a token. */
export class ChannelFailure extends Error {
  readonly code: ChannelFailureCode;
  readonly httpStatus: number | null;
  /** The platform's own number for the error. */
  readonly upstreamCode: number | null;
  /** Whether the platform has certainly done nothing. */
  readonly sure: boolean;
  constructor(
    code: ChannelFailureCode,
    {
      httpStatus = null,
      upstreamCode = null,
      sure,
    }: { httpStatus?: number | null; upstreamCode?: number | null; sure: boolean },
  ) {
    super(`the platform did not do it: ${code}`);
    this.name = 'ChannelFailure';
    this.code = code;
    this.httpStatus = httpStatus;
    this.upstreamCode = upstreamCode;
    this.sure = sure;
  }
}
