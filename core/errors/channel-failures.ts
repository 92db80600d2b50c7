/**
 * Why a call to a channel's platform failed. Cadre assigns the last three codes without an error from the platform.
 */
export const channelFailureCodes = [
  /** The platform does not accept the token. */
  'TOKEN_INVALID',
  'PERMISSION_MISSING',
  /** The platform accepts replies only for a certain time after the person's last message. */
  'WINDOW_CLOSED',
  'RATE_LIMITED',
  /** The platform has blocked the account for a while. */
  'BLOCKED',
  'RECIPIENT_UNAVAILABLE',
  /** The platform does not accept the content. */
  'INVALID_CONTENT',
  'PLATFORM_UNAVAILABLE',
  'TIMEOUT',
  'NETWORK',
  'RECONNECT_REQUIRED',
  'INTERRUPTED',
  'UNKNOWN',
] as const;
export type ChannelFailureCode = (typeof channelFailureCodes)[number];
