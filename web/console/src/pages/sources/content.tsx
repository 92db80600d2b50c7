import { useMemo, useState } from 'preact/hooks';
import { chunkText } from '../../../../../core/knowledge/text/chunk-text.js';
import { count, several } from '../../parts/numbers.js';
import { Tick } from '../../parts/tick.js';
import { Rendered } from './rendered.js';

/** Number of chunks shown at a time. */
const AT_ONCE = 40;

/** The stored text, rendered or divided into chunks. */
export function Content({ text, chunks }: { text: string; chunks: number }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <>
      <div class="heading">
        <h2>What the agent learned: {several(chunks, 'chunk')}</h2>
        <Tick checked={isRaw} onChange={setRaw}>
          Show the chunks that search finds
        </Tick>
      </div>
      {isRaw ? <Chunks text={text} stored={chunks} /> : <Rendered text={text} />}
    </>
  );
}

/** The text divided into chunks by the service's rule. */
function Chunks({ text, stored }: { text: string; stored: number }) {
  const chunks = useMemo(() => chunkText(text), [text]);
  const [shown, setShown] = useState(AT_ONCE);
  // The text was divided by an older rule, so the boundaries are unknown.
  if (chunks.length !== stored) return <pre class="content panel">{text}</pre>;
  return (
    <>
      <ol class="chunks">
        {chunks.slice(0, shown).map(({ start, end, size, headings }, index) => (
          <li key={start}>
            <p class="small muted">
              {index + 1} · {count(size)} characters
              {headings.length > 0 && ` · ${headings.join(' › ')}`}
            </p>
            <pre class="content">{text.slice(start, end)}</pre>
          </li>
        ))}
      </ol>
      {shown < chunks.length && (
        <p class="more">
          <button type="button" onClick={() => setShown(shown + AT_ONCE)}>
            Show more of {several(chunks.length, 'chunk')}
          </button>
        </p>
      )}
    </>
  );
}
