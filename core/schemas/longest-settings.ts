const DAY_S = 86_400;

/**
 * Maximum values of settings from which stored times are derived. A stored time may be older than the current value
 * of its setting.
 */
export const longestSettings = {
  backoffMs: DAY_S * 1000,
  gatherMs: 60_000,
  humanPauseSeconds: 365 * DAY_S,
  toolResultTtlSeconds: DAY_S,
} as const;
