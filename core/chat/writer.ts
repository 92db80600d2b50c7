import type { Passage } from '../knowledge/text/passages.js';
import type { Citation } from '../ports/store/conversations/answer.js';
import type { AnswerEvent } from './answerer.js';
import { citationOf } from './citations.js';
import { createGuard, type Guard } from './guard/guard.js';
import type { Piece } from './guard/output.js';

/** Guards a model's text and keeps track of the sources that it cites. */
export interface Writer {
  /** Starts a model call; `passages` are its sources, source n at index n - 1. */
  begin(passages: readonly Passage[]): void;
  write(text: string): AnswerEvent[];
  end(): AnswerEvent[];
  /** Returns each cited source once, in the order of first citation. Omits sources that may not be cited. */
  citations(): Citation[];
  /** Whether the text cites a source, including sources that may not be cited. */
  cites(): boolean;
  /** Whether any visible text was written. */
  hasText(): boolean;
  /** Whether the answer has reached its maximum length. */
  isFull(): boolean;
}

export function createWriter(options: {
  isKnownUrl: (url: string) => boolean;
  /** Markers of other sources are removed. */
  mayCite: (passage: Passage) => boolean;
  maxCharacters: number;
}): Writer {
  const cited = new Map<string, Citation>();
  let sent: readonly Passage[] = [];
  let guard: Guard | null = null;
  let written = 0;
  let visible = false;
  let cites = false;

  function isSource(number: string): boolean {
    const passage = /^[1-9]\d{0,3}$/.test(number) ? sent[Number(number) - 1] : undefined;
    if (passage === undefined) return false;
    cites = true;
    return options.mayCite(passage);
  }

  function show(pieces: readonly Piece[]): AnswerEvent[] {
    return pieces.flatMap((piece): AnswerEvent[] => {
      if (typeof piece === 'string') {
        visible ||= piece.trim() !== '';
        return [{ type: 'text', text: piece }];
      }
      const { source, claim } = piece;
      const passage = sent[Number(source) - 1];
      if (passage === undefined || cited.has(source)) return [];
      const citation = citationOf(passage, source, claim);
      cited.set(source, citation);
      return [{ type: 'source', citation }];
    });
  }

  return {
    begin(passages) {
      sent = passages;
      guard = createGuard({ isSource, isKnownUrl: options.isKnownUrl });
    },
    write(text) {
      written += text.length;
      return show(guard?.push(text) ?? []);
    },
    end() {
      const rest = guard?.end() ?? [];
      guard = null;
      return show(rest);
    },
    citations: () => [...cited.values()],
    cites: () => cites,
    hasText: () => visible,
    isFull: () => written >= options.maxCharacters,
  };
}
