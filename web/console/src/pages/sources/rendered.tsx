import { useMemo, useState } from 'preact/hooks';
import { structuresOf } from '../../../../../core/knowledge/text/text-structure.js';
import { Block, type Emphasis } from './rendered-block.js';

/** Number of structures shown at a time. */
const AT_ONCE = 150;

/** A text with its headings, lists, tables and code, as the agent reads it. */
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

/** A part of a text around a quotation. */
export function RenderedQuote({ text, ...emphasis }: { text: string } & Emphasis) {
  const structures = useMemo(() => structuresOf(text), [text]);
  return (
    <div class="rendered">
      {structures.map((structure, at) => (
        <Block
          key={structure.start}
          text={text}
          structure={structure}
          before={structures[at - 1]}
          emphasis={emphasis}
        />
      ))}
    </div>
  );
}
