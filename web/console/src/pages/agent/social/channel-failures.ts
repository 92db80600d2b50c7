import type { ChannelFailureCode } from '../../../../../../core/errors/channel-failures.js';

/** Why the platform refused an action, and what to do about it. */
export const channelFailureTexts: Record<ChannelFailureCode, string> = {
  TOKEN_INVALID: 'The platform no longer accepts the token. Connect again with a new one.',
  PERMISSION_MISSING: 'The token lacks a permission. Create a token that has it, and connect again.',
  WINDOW_CLOSED: 'The person has not written for a day. Wait until they write again.',
  RATE_LIMITED:
    'The account has sent too many messages, so the platform slows it down. Cadre tries again by itself.',
  BLOCKED:
    'The platform has temporarily blocked the account. Check its notices on the platform. Cadre tries again after an hour.',
  RECIPIENT_UNAVAILABLE: 'The person cannot be reached, for example because they have blocked the account.',
  INVALID_CONTENT: 'The platform does not accept the text. Change it.',
  PLATFORM_UNAVAILABLE: 'The platform was not available. Try again later.',
  TIMEOUT: 'The platform did not answer in time. Try again later.',
  NETWORK:
    'The platform could not be reached. Try again later; if it lasts, ask the operator of this service.',
  RECONNECT_REQUIRED: 'The agent is not connected. Connect it again with a new token.',
  INTERRUPTED: 'The service was interrupted while it was publishing. Publish again.',
  UNKNOWN: 'The platform reported an error that Cadre does not know. Report its number to the operator.',
};

interface ChannelError {
  code: ChannelFailureCode;
  upstream_code: number | null;
}

/** Returns the reason as a sentence. Adds the platform's error number if the code is unspecific. */
export const reasonOf = ({ code, upstream_code }: ChannelError): string =>
  code === 'UNKNOWN' && upstream_code !== null
    ? `${channelFailureTexts[code]} Number: ${upstream_code}.`
    : channelFailureTexts[code];
