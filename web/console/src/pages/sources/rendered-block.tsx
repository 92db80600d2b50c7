import type { ComponentChildren, JSX } from 'preact';
import { cellsOf } from '../../../../../core/knowledge/text/table-rows.js';
import type { Structure } from '../../../../../core/knowledge/text/text-structure.js';
import { inlineMarks, marked, type Range } from './inline-marks.js';

/** The parts of a text to emphasise. */
export interface Emphasis {
  /** Range of the structures with a background. */
  block: Range;
  /** Range of the highlighted words. */
  quote: Range;
}

interface BlockProps {
  text: string;
  structure: Structure;
  /** The previous structure. */
  before: Structure | undefined;
  emphasis?: Emphasis;
}

/** A structure of a text with its headings and its introducing line. */
export function Block({ text, structure, before, emphasis }: BlockProps) {
  const { headings, lead } = structure;
  const isLeadShown = lead !== null && lead.start >= (before?.end ?? 0);
  const piece = (range: Range): Piece => ({
    words: text.slice(range.start, range.end),
    at: range.start,
    quote: emphasis?.quote ?? null,
  });
  const body = (
    <>
      {isLeadShown && (
        <p>
          <Inline {...piece(lead)} />
        </p>
      )}
      <Body structure={structure} piece={piece} />
    </>
  );
  const isEmphasised =
    emphasis && overlaps(emphasis.block, { start: lead?.start ?? structure.start, end: structure.end });
  return (
    <>
      {newHeadings(headings, before?.headings ?? []).map(({ title, level }) => (
        <Title key={`${level}-${title}`} level={level}>
          {inlineMarks(title)}
        </Title>
      ))}
      {isEmphasised ? <div class="quoted-block">{body}</div> : body}
    </>
  );
}

const overlaps = (one: Range, other: Range): boolean => one.start < other.end && other.start < one.end;

/** Returns the headings that begin between two structures, with their depth. */
function newHeadings(own: readonly string[], before: readonly string[]): { title: string; level: number }[] {
  const same = own.findIndex((title, at) => title !== before[at]);
  return same < 0 ? [] : own.slice(same).map((title, at) => ({ title, level: same + at }));
}

/** Levels h1 to h3 are used by the page. */
const tags = ['h3', 'h4', 'h5'] as const;

function Title({ level, children }: { level: number; children: ComponentChildren }) {
  const Tag: keyof JSX.IntrinsicElements = tags[Math.min(level, tags.length - 1)] ?? 'h5';
  return <Tag>{children}</Tag>;
}

/** Words of the text, and their position. */
interface Piece {
  words: string;
  at: number;
  quote: Range | null;
}

/** Returns the words of a piece from `start` to `end`. */
const part = ({ words, at, quote }: Piece, start: number, end = words.length): Piece => ({
  words: words.slice(start, end),
  at: at + start,
  quote,
});

const Inline = ({ words, at, quote }: Piece) => (
  <>{inlineMarks(words, quote && { start: quote.start - at, end: quote.end - at })}</>
);

const ITEM_MARK = /^\s*(?:[-+*•‣▪◦·–]|\(?[\p{L}\d.]{1,7}[.)])[ \t]+/u;
const OPENING_FENCE = /^[`~]{3,}.*\n?/;
const CLOSING_FENCE = /\n?[`~]{3,}\s*$/;

interface BodyProps {
  structure: Structure;
  piece: (range: Range) => Piece;
}

function Body({ structure, piece }: BodyProps) {
  const { kind, items } = structure;
  const whole = piece(structure);
  if (kind === 'code') {
    const start = OPENING_FENCE.exec(whole.words)?.[0].length ?? 0;
    const inner = part(whole, start);
    const { words, at, quote } = part(
      inner,
      0,
      inner.words.length - (CLOSING_FENCE.exec(inner.words)?.[0].length ?? 0),
    );
    return <pre class="content">{marked(words, at, quote)}</pre>;
  }
  if (kind === 'list')
    return (
      <ul>
        {items.map(piece).map((item) => (
          <li key={item.at}>
            <Inline {...part(item, ITEM_MARK.exec(item.words)?.[0].length ?? 0)} />
          </li>
        ))}
      </ul>
    );
  if (kind === 'table') return <Table structure={structure} piece={piece} />;
  return (
    <p class="lines">
      <Inline {...whole} />
    </p>
  );
}

const Table = ({ structure: { header, items }, piece }: BodyProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <section class="wide" tabIndex={0} aria-label="Table">
    <table>
      {header && (
        <thead>
          <tr>
            {cellPieces(piece(header)).map((cell, at) => (
              <th key={`${at}-${cell.words}`} scope="col">
                <Inline {...cell} />
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {items.map(piece).map((row) => (
          <tr key={row.at}>
            {cellPieces(row).map((cell, at) => (
              <td key={`${at}-${cell.words}`}>
                <Inline {...cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** Returns the cells of a row with their positions. */
function cellPieces(row: Piece): Piece[] {
  let end = 0;
  return cellsOf(row.words).map((cell) => {
    const start = row.words.indexOf(cell, end);
    end = start + cell.length;
    return part(row, start, end);
  });
}
