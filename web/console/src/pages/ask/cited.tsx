import { useEffect, useRef, useState } from 'preact/hooks';
import { agentPath, ask } from '../../api/request.js';
import type { Citation } from '../../api/types.js';
import { useLoaded } from '../../loading.js';
import { Loading, Problem } from '../../parts/notice.js';
import { to } from '../../router.js';
import { RenderedQuote } from '../sources/rendered.js';
import { quotedPart } from './quoted-part.js';

/** Converts an index in code points, as used by the API, to an index in UTF-16 units. */
function unitAt(text: string, codePoint: number): number {
  let unit = 0;
  for (let left = codePoint; left > 0 && unit < text.length; left -= 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

interface CitedProps {
  agentId: string;
  citation: Citation;
  onClose: () => void;
}

interface Opened {
  citation: Citation;
  marker: HTMLElement;
}

/** Returns the source of the selected citation. Closing it returns the focus to its marker. */
export function useCited(agentId: string) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => {
    opened?.marker.focus();
    setOpened(null);
  };
  return {
    cited: opened && <Cited agentId={agentId} citation={opened.citation} onClose={close} />,
    cite: (citation: Citation, marker: HTMLElement) => setOpened({ citation, marker }),
    clear: () => setOpened(null),
  };
}

/** The source of a citation, scrolled to the quoted text. */
function Cited({ agentId, citation, onClose }: CitedProps) {
  const { documentId, sourceId, title, url, quote } = citation;
  const path = agentPath(agentId, 'sources', documentId, 'content');
  const { data, failure } = useLoaded((signal) => ask<{ text: string }>(path, { signal }), [path]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [citation]);
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <aside class="cited" aria-label={`Source ${sourceId}`} onKeyDown={leave}>
      <div class="heading">
        <h2 ref={heading} tabIndex={-1}>
          <span class="cite-number">{sourceId}</span> {title}
        </h2>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="small">
        <a href={to('agents', agentId, 'sources', documentId)}>Open the source</a>
        {url && (
          <>
            {' · '}
            <a href={url} target="_blank" rel="noreferrer noopener">
              Open the page (new tab)
            </a>
          </>
        )}
      </p>
      {failure && (
        <>
          <blockquote>{quote}</blockquote>
          <Problem failure={failure} />
        </>
      )}
      {!data && !failure && <Loading />}
      {data && <Quoted text={data.text} citation={citation} />}
    </aside>
  );
}

function Quoted({ text, citation }: { text: string; citation: Citation }) {
  const start = unitAt(text, citation.start);
  const end = start + unitAt(text.slice(start), citation.end - citation.start);
  const isAsQuoted = text.slice(start, end) === citation.quote;
  const part = useRef<HTMLElement>(null);
  useEffect(() => {
    const marked = part.current?.querySelector('mark') ?? part.current?.querySelector('.quoted-block');
    marked?.scrollIntoView({ block: 'center' });
  }, [citation, text]);
  if (!isAsQuoted)
    return (
      <>
        <p class="notice">The source has changed. This was the quoted text:</p>
        <blockquote>{citation.quote}</blockquote>
      </>
    );
  const { from, to: last, block, headings } = quotedPart(text, start, end);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section ref={part} class="quoted" tabIndex={0} aria-label="Text of the source">
      {headings.length > 0 && <p class="small">{headings.join(' › ')}</p>}
      {from > 0 && <p>…</p>}
      <RenderedQuote
        text={text.slice(from, last)}
        block={{ start: block.start - from, end: block.end - from }}
        quote={{ start: start - from, end: end - from }}
      />
      {last < text.length && <p>…</p>}
    </section>
  );
}
