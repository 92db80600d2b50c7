import type { Output } from './output.js';

/** State of code detection at the current position. */
export interface CodeState {
  fence: { mark: string; length: number; indent: number } | null;
  /** All renderers agree so far on what is code. */
  trusted: boolean;
  /** All backticks of this paragraph are paired. */
  spansTrusted: boolean;
}

/** Input of the functions that read constructs. */
export interface Reading {
  /** Unread text; never empty. */
  text: string;
  /** No more text follows. */
  final: boolean;
  out: Output;
  code: CodeState;
  isSource(number: string): boolean;
  isKnownUrl(url: string): boolean;
}

/** `read`: consumed UTF-16 units. `again`: text to read in their place. `more`: the following text decides. */
export type Step = 'more' | { read: number; again?: string };
