/** How the crawler behaves towards the web. */
export interface CrawlSettings {
  /** Origin to the origin really dialled, e.g. `{"https://docs.acme.com": "http://127.0.0.1:9000"}`. */
  resolve: Readonly<Record<string, string>>;
  /** One fetch in all: robots.txt, connecting, redirects and body, but not the line before a host. Milliseconds. */
  timeoutMs: number;
  /** Largest body, after decompression. */
  maxBytes: number;
  maxRedirects: number;
  /** Sent as `User-Agent`; its first product token (`CadreBot/1.0 …` → `CadreBot`) is ours in robots.txt. */
  userAgent: string;
  /** Requests that one host answers at the same time. */
  perHostConcurrency: number;
  /** Least time between the starts of two requests to one host. Milliseconds. */
  perHostDelayMs: number;
}

/** The product token that robots.txt files name (RFC 9309 section 2.2.1). */
export const robotsTokenOf = (userAgent: string): string => {
  const products = userAgent.match(/[A-Za-z_-]+(?=\/)/g) ?? userAgent.match(/[A-Za-z_-]+/g) ?? [];
  return products.find((product) => product !== 'Mozilla') ?? 'CadreBot';
};
