import type { ChannelFailureCode } from '../errors/channel-failures.js';
import type { Health } from './health.js';

export type { ChannelFailureCode };

/*
 * A social platform on which people write to an account. Core decides what is sent and when; the plugin knows the
 * platform's API, its error codes and the format of its events. Instants named `…At` are Unix seconds.
 */

export const channelPermissions = ['messages', 'comments'] as const;
export type ChannelPermission = (typeof channelPermissions)[number];

/** The account to which a token belongs. */
export interface ChannelAccount {
  /** Identifies the account in events. */
  accountId: string;
  username: string;
  /** Identifies the account in calls; differs from `accountId` with some kinds of login. */
  senderId: string;
  permissions: readonly ChannelPermission[];
  /** Null if the token does not expire. */
  tokenExpiresAt: number | null;
}

/** Credentials for calls on behalf of an account. */
export interface ChannelAccess {
  token: string;
  senderId: string;
}

/** `key` identifies the event among those of its account. The platform repeats an event with the same key. */
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
  /**
   * The account has sent a message to the person. `deliveryId` is the id given to `send`; null if another app or a
   * human sent the message.
   */
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
  /** The recipient. Only this response names the author of a comment. */
  personId: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Calls reject with ChannelFailure, at the latest after 15 s. */
export interface Channel {
  /** False if no platform is configured. */
  readonly isConfigured: boolean;
  /** Returns the challenge to send back if the query of a subscription has the right token, else null. */
  verify(query: Readonly<Record<string, string>>): string | null;
  /** Returns whether the headers have a well-formed signature. If not, the body need not be read. */
  isSigned(headers: Headers): boolean;
  /** Checks the signature of the raw bytes before it parses them. Pure. */
  parse(headers: Headers, raw: Uint8Array): ParsedEvents;
  inspect(token: string): Promise<ChannelAccount>;
  /** Subscribes the account to events. */
  connect(access: ChannelAccess): Promise<void>;
  disconnect(access: ChannelAccess): Promise<void>;
  /** Exchanges a token for a token with a later expiry. */
  renew(token: string): Promise<{ token: string; tokenExpiresAt: number | null }>;
  publish<R extends ChannelResource>(
    access: ChannelAccess,
    resource: R,
    items: ChannelItems[R],
  ): Promise<void>;
  clear(access: ChannelAccess, resource: ChannelResource): Promise<void>;
  /** Returns the published items; empty if none are. */
  profile<R extends ChannelResource>(access: ChannelAccess, resource: R): Promise<ChannelItems[R]>;
  /** Sends a message. Its echo carries the same `id`. */
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

/** `message` is written by us: it never contains text of the platform or a token. */
export class ChannelFailure extends Error {
  readonly code: ChannelFailureCode;
  readonly httpStatus: number | null;
  /** The platform's number for the error. */
  readonly upstreamCode: number | null;
  /** True if the platform has certainly not executed the call. */
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
