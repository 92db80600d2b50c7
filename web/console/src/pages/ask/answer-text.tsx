import type { ComponentChildren } from 'preact';
import type { Citation } from '../../api/types.js';

interface AnswerTextProps {
  text: string;
  citations: readonly Citation[];
  onCite: (citation: Citation, marker: HTMLElement) => void;
}

/** An answer with paragraphs, lists and code. `[n]` becomes a button that opens the cited source. */
export function AnswerText({ text, citations, onCite }: AnswerTextProps) {
  const inline = (words: string) => inlineOf(words, citations, onCite);
  return (
    <div class="answer-text">
      {blocksOf(text).map((block, index) => {
        const key = `${index}-${block.kind}`;
        if (block.kind === 'code') return <pre key={key}>{block.lines.join('\n')}</pre>;
        if (block.kind === 'list')
          return (
            <ul key={key}>
              {block.lines.map((line, at) => (
                <li key={`${at}-${line.length}`}>{inline(line)}</li>
              ))}
            </ul>
          );
        return <p key={key}>{inline(block.lines.join('\n'))}</p>;
      })}
    </div>
  );
}

interface Block {
  kind: 'text' | 'list' | 'code';
  lines: string[];
}

const FENCE = /^\s*(```|~~~)/;
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/;

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let inCode = false;
  let open: Block | null = null;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      inCode = !inCode;
      open = inCode ? { kind: 'code', lines: [] } : null;
      if (open) blocks.push(open);
      continue;
    }
    const kind = inCode ? 'code' : ITEM.test(line) ? 'list' : 'text';
    if (kind === 'text' && line.trim() === '') {
      open = null;
      continue;
    }
    if (open?.kind !== kind) {
      open = { kind, lines: [] };
      blocks.push(open);
    }
    open.lines.push(kind === 'list' ? line.replace(ITEM, '') : line.replace(/^#{1,6}\s+/, ''));
  }
  return blocks;
}

const MARKS = /(\[\d+\]|`[^`\n]+`|\*\*[^*\n]+\*\*)/;

const inlineOf = (
  words: string,
  citations: readonly Citation[],
  onCite: AnswerTextProps['onCite'],
): ComponentChildren[] =>
  words.split(MARKS).map((piece, index) => {
    const key = `${index}-${piece.length}`;
    const number = /^\[(\d+)\]$/.exec(piece)?.[1];
    const citation = citations.find(({ sourceId }) => sourceId === number);
    if (citation)
      return (
        <button
          key={key}
          type="button"
          class="cite"
          aria-label={`Source ${number}: ${citation.title}`}
          onClick={(event) => onCite(citation, event.currentTarget)}
        >
          {number}
        </button>
      );
    if (piece.startsWith('**') && piece.length > 4) return <strong key={key}>{piece.slice(2, -2)}</strong>;
    if (piece.startsWith('`') && piece.length > 2) return <code key={key}>{piece.slice(1, -1)}</code>;
    return piece;
  });
