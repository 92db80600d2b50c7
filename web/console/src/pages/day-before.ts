/** The day in UTC this many days ago, as the API writes it. */
export const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
