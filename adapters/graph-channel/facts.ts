import type { ChannelFailureCode } from '../../core/errors/channel-failures.js';
import type { ChannelPermission, ChannelResource } from '../../core/ports/channel.port.js';

/*
 * All facts about the platform that the adapter uses, as documented publicly in November 2026. If the platform
 * changes, correct them here.
 */

/** Each permission is granted by a scope with this ending. */
export const scopeEndings: Readonly<Record<ChannelPermission, string>> = {
  messages: '_manage_messages',
  comments: '_manage_comments',
};

/** Fields of the subscription to an account's events. */
export const subscribedFields = 'messages,messaging_postbacks,messaging_handovers,message_echoes,comments';

export const profilePath = 'messenger_profile';
/** Field of the profile for each resource. */
export const profileFields: Readonly<Record<ChannelResource, string>> = {
  'persistent-menu': 'persistent_menu',
  'conversation-starters': 'ice_breakers',
};

/** Maximum messages of a thread in one call. */
export const RECENT_MESSAGES = 20;

const TOKEN_CODES = [102, 190];
const PERMISSION_CODES = [3, 10];
const RATE_CODES = [4, 17, 32, 613, 80002, 80006, 80007];
const BLOCKED_CODE = 368;
const RECIPIENT_CODE = 551;
const CONTENT_CODE = 100;
const AWAY_CODES = [1, 2];
const WINDOW_SUBCODES = [2534022, 2018278];
const RECIPIENT_SUBCODES = [2018001, 2534014];

export interface UpstreamError {
  httpStatus: number;
  code: number | null;
  subcode: number | null;
}

/** Classifies an error of the platform. Subcodes are more specific than codes. */
export function codeOf({ httpStatus, code, subcode }: UpstreamError): ChannelFailureCode {
  if (code === 10 && subcode !== null && WINDOW_SUBCODES.includes(subcode)) return 'WINDOW_CLOSED';
  if (code === CONTENT_CODE && subcode !== null && RECIPIENT_SUBCODES.includes(subcode))
    return 'RECIPIENT_UNAVAILABLE';
  if (code !== null) {
    if (TOKEN_CODES.includes(code)) return 'TOKEN_INVALID';
    if (PERMISSION_CODES.includes(code) || (code >= 200 && code <= 299)) return 'PERMISSION_MISSING';
    if (RATE_CODES.includes(code)) return 'RATE_LIMITED';
    if (code === BLOCKED_CODE) return 'BLOCKED';
    if (code === RECIPIENT_CODE) return 'RECIPIENT_UNAVAILABLE';
    if (code === CONTENT_CODE) return 'INVALID_CONTENT';
    if (AWAY_CODES.includes(code)) return 'PLATFORM_UNAVAILABLE';
  }
  if (httpStatus === 429) return 'RATE_LIMITED';
  return httpStatus >= 500 ? 'PLATFORM_UNAVAILABLE' : 'UNKNOWN';
}
