import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { cellsOf } from '../../../../core/knowledge/table-rows.js';
import { type Structure, structuresOf } from '../../../../core/knowledge/text-structure.js';
import { inlineMarks } from './inline-marks.js';

/** Structures shown per step. */
const AT_ONCE = 150;

/** A text with its headings, lists, tables and code, as the agent reads them. */
export function Rendered({ text }: { text: string }) {
  const structures = useMemo(() => structuresOf(text), [text]);
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <div class="rendered panel">
      {structures.slice(0, shown).map((structure, at) => (
        <Block key={structure.start} text={text} structure={structure} before={structures[at - 1]} />
      ))}
      {shown < structures.length && (
        <p class="more">
          <button type="button" onClick={() => setShown(shown + AT_ONCE)}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}

interface BlockProps {
  text: string;
  structure: Structure;
  before: Structure | undefined;
}

function Block({ text, structure, before }: BlockProps) {
  const { headings, lead } = structure;
  const isLeadShown = lead !== null && lead.start >= (before?.end ?? 0);
  return (
    <>
      {newHeadings(headings, before?.headings ?? []).map(({ title, level }) => (
        <Title key={`${level}-${title}`} level={level}>
          {inlineMarks(title)}
        </Title>
      ))}
      {isLeadShown && <p>{inlineMarks(text.slice(lead.start, lead.end))}</p>}
      <Body text={text} structure={structure} />
    </>
  );
}

/** Headings that begin between two structures, with their depth. */
function newHeadings(own: readonly string[], before: readonly string[]): { title: string; level: number }[] {
  const same = own.findIndex((title, at) => title !== before[at]);
  return same < 0 ? [] : own.slice(same).map((title, at) => ({ title, level: same + at }));
}

/** The page has headings of three levels above. */
const tags = ['h4', 'h5', 'h6'] as const;

function Title({ level, children }: { level: number; children: ComponentChildren }) {
  const Tag: keyof JSX.IntrinsicElements = tags[Math.min(level, tags.length - 1)] ?? 'h6';
  return <Tag>{children}</Tag>;
}

const ITEM_MARK = /^\s*(?:[-+*•‣▪◦·–]|\(?[\p{L}\d.]{1,7}[.)])[ \t]+/u;

function Body({ text, structure: { kind, start, end, items, header } }: Omit<BlockProps, 'before'>) {
  const textOf = (range: { start: number; end: number }) => text.slice(range.start, range.end);
  if (kind === 'code')
    return <pre class="content">{text.slice(start, end).replace(/^[`~]{3,}.*\n?|\n?[`~]{3,}\s*$/g, '')}</pre>;
  if (kind === 'list')
    return (
      <ul>
        {items.map((item) => (
          <li key={item.start}>{inlineMarks(textOf(item).replace(ITEM_MARK, ''))}</li>
        ))}
      </ul>
    );
  if (kind === 'table')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      <section class="wide" tabIndex={0} aria-label="Table">
        <table>
          {header && (
            <thead>
              <tr>
                {cellsOf(textOf(header)).map((cell, at) => (
                  <th key={`${at}-${cell}`} scope="col">
                    {inlineMarks(cell)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {items.map((row) => (
              <tr key={row.start}>
                {cellsOf(textOf(row)).map((cell, at) => (
                  <td key={`${at}-${cell}`}>{inlineMarks(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    );
  return <p class="lines">{inlineMarks(text.slice(start, end))}</p>;
}
