import { useMemo, useState } from 'preact/hooks';
import { chunkText } from '../../../../core/knowledge/chunk-text.js';
import { count, several } from '../../parts/numbers.js';

/** Chunks shown per step. */
const AT_ONCE = 40;

/** The learned text in its chunks, cut by the service's rule. */
export function Content({ text, chunks: stored }: { text: string; chunks: number }) {
  const chunks = useMemo(() => chunkText(text), [text]);
  const [shown, setShown] = useState(AT_ONCE);
  // Cut by an older rule, so the boundaries are unknown.
  if (chunks.length !== stored)
    return (
      <>
        <h3>What the agent learned</h3>
        <pre class="content">{text}</pre>
      </>
    );
  return (
    <>
      <h3>What the agent learned: {several(chunks.length, 'chunk')}</h3>
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
