/* What log lines and spans may show of an address that a task is about. */

/** A page without its query, which may be a secret; `instead` stands where one was. */
export const shownPage = (url: string, instead: string): string => url.replace(/[?#].*/s, instead);

/** Of a webhook no more than its origin: the path may be its secret. */
export const shownWebhook = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '[no URL]');
