/** Settings of the crawler. */
export interface CrawlSettings {
  /**
   * Maps origins to the origins to connect to instead, for example `{"https://docs.acme.com":
   * "http://127.0.0.1:9000"}`.
   */
  resolve: Readonly<Record<string, string>>;
  /**
   * Timeout of a fetch in milliseconds. It includes robots.txt, connecting, redirects and the body, but not queueing
   * for a host.
   */
  timeoutMs: number;
  /** Maximum body size in bytes, after decompression. */
  maxBytes: number;
  maxRedirects: number;
  /**
   * Sent as `User-Agent`. Its first product token (`CadreBot/1.0 …` → `CadreBot`) selects the rules in robots.txt.
   */
  userAgent: string;
  /** Maximum number of simultaneous requests to one host. */
  perHostConcurrency: number;
  /** Minimum time between the starts of two requests to one host, in milliseconds. */
  perHostDelayMs: number;
}

/** Returns the product token of the crawler in robots.txt files (RFC 9309 section 2.2.1). */
export const robotsTokenOf = (userAgent: string): string => {
  const products = userAgent.match(/[A-Za-z_-]+(?=\/)/g) ?? userAgent.match(/[A-Za-z_-]+/g) ?? [];
  return products.find((product) => product !== 'Mozilla') ?? 'CadreBot';
};
