import type { CodeState } from './code.js';
import type { Output } from './output.js';

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
 * How far a reader came: `read` UTF-16 units are done with, and `again` is to be read in their place. `more`: what it is depends on what
 * follows.
 */
export type Step = 'more' | { read: number; again?: string };
