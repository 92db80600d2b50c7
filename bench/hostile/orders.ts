/** What the process under attack is told to read. */
export type Order =
  | { kind: 'file'; path: string; fileName: string }
  | { kind: 'page'; path: string; contentEncoding: string; contentType: string | null; url: string }
  | { kind: 'sitemap' | 'robots'; path: string };

/** How it went: the failure code, or `ok`. */
export interface Answer {
  code: string;
  message: string;
  /** Of the text that it gave. */
  chars: number;
  ms: number;
  /** Longest time for which the main thread did nothing else. Milliseconds. */
  blockedMs: number;
}
