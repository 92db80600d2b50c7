/* Redacts URLs of tasks for log lines and spans. */

/** Replaces the query and fragment of a page's URL with `instead`, because they may contain a secret. */
export const shownPage = (url: string, instead: string): string => url.replace(/[?#].*/s, instead);

/** Returns the origin of a webhook's URL. The path may contain a secret. */
export const shownWebhook = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '[no URL]');
