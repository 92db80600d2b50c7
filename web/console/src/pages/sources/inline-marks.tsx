import type { ComponentChildren } from 'preact';

/** Positions in a text, in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

const MARKS = /(`[^`\n]+`|\*\*[^*\n]+\*\*|!?\[[^\]\n]*\]\([^)\s]+\))/;

/**
 * Renders bold text, code and links in a line of Markdown, and highlights the part in `quote`. Links are not clickable,
 * because the text is the agent's knowledge.
 */
export function inlineMarks(line: string, quote: Range | null = null): ComponentChildren[] {
  let end = 0;
  return line.split(MARKS).map((piece, at) => {
    const start = end;
    end += piece.length;
    const key = `${at}-${piece.length}`;
    const within = (from: number, to: number) => marked(piece.slice(from, to), start + from, quote);
    if (piece.startsWith('**') && piece.length > 4)
      return <strong key={key}>{within(2, piece.length - 2)}</strong>;
    if (piece.startsWith('`') && piece.length > 2)
      return <code key={key}>{within(1, piece.length - 1)}</code>;
    const [, opening = '', label = '', target] = /^(!?\[)([^\]]*)\]\(([^)\s]+)\)$/.exec(piece) ?? [];
    if (target !== undefined)
      return (
        <span key={key} class="link-text" title={target}>
          {label === '' ? target : within(opening.length, opening.length + label.length)}
        </span>
      );
    return within(0, piece.length);
  });
}

/** Renders words that start at `at`, and highlights those in `quote`. */
export function marked(words: string, at: number, quote: Range | null): ComponentChildren {
  const start = Math.max(0, (quote?.start ?? 0) - at);
  const end = Math.min(words.length, (quote?.end ?? 0) - at);
  if (start >= end) return words;
  return [words.slice(0, start), <mark key={at}>{words.slice(start, end)}</mark>, words.slice(end)];
}
