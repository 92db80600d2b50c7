import type { ComponentChildren } from 'preact';

const MARKS = /(`[^`\n]+`|\*\*[^*\n]+\*\*|!?\[[^\]\n]*\]\([^)\s]+\))/;

/** Bold text, code and links of a line of Markdown. Links are not followed: the text is the agent's knowledge. */
export const inlineMarks = (line: string): ComponentChildren[] =>
  line.split(MARKS).map((piece, at) => {
    const key = `${at}-${piece.length}`;
    if (piece.startsWith('**') && piece.length > 4) return <strong key={key}>{piece.slice(2, -2)}</strong>;
    if (piece.startsWith('`') && piece.length > 2) return <code key={key}>{piece.slice(1, -1)}</code>;
    const [, label, target] = /^!?\[([^\]]*)\]\(([^)\s]+)\)$/.exec(piece) ?? [];
    if (target !== undefined)
      return (
        <span key={key} class="link-text" title={target}>
          {label || target}
        </span>
      );
    return piece;
  });
