import type { Output } from './output.js';

/** What is known of the code in a text, as far as it is read. */
export interface CodeState {
  fence: { mark: string; length: number; indent: number } | null;
  /** Nothing was written that readers could place differently. */
  trusted: boolean;
  /** No backtick of this paragraph is left without its other one. */
  spansTrusted: boolean;
}

/** What the readers of constructs work with. */
export interface Reading {
  /** Not read yet; never empty. */
  text: string;
  /** Nothing follows. */
  final: boolean;
  out: Output;
  code: CodeState;
  isSource(number: string): boolean;
  isKnownUrl(url: string): boolean;
}

/**
 * How far a reader came: `read` UTF-16 units are done, and `again` is to be read in their place. `more`: what
 * it is depends on what follows.
 */
export type Step = 'more' | { read: number; again?: string };
