import { useState } from 'preact/hooks';
import { limits } from '../../../../../core/schemas/limits.js';
import { spokenText } from '../../../../client/spoken-text.js';
import { agentPath, ask } from '../../api/request.js';
import type { Citation, Hits } from '../../api/types.js';
import { useLoaded } from '../../loading.js';
import { Loading, Problem } from '../../parts/notice.js';

interface SearchedProps {
  agentId: string;
  question: string;
  /** Opens a passage. */
  onOpen: (passage: Citation, opener: HTMLElement) => void;
}

/** Shows on request which passages a question finds, with their scores. */
export function Searched(props: SearchedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="searched small" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>What was searched</summary>
      {isOpen && <Passages {...props} />}
    </details>
  );
}

function Passages({ agentId, question, onOpen }: SearchedProps) {
  const path = agentPath(agentId, 'search');
  const query = question.slice(0, limits.question.max);
  const { data, failure, reload } = useLoaded(
    (signal) => ask<Hits>(path, { method: 'POST', body: { query }, signal }),
    [path, query],
  );
  if (!data) return failure ? <Problem failure={failure} retry={reload} /> : <Loading />;
  const { data: hits, covered, nearest } = data;
  if (hits.length === 0) return <p>The question alone finds no passage in the sources as they are now.</p>;
  return (
    <>
      <p>
        The question alone finds these passages in the sources as they are now.{' '}
        <strong>
          {covered ? 'The best one covers the question.' : 'None of them covers the question well.'}
        </strong>
        {nearest && ` The nearest sentence has a similarity of ${nearest.similarity.toFixed(2)}.`}
      </p>
      <ol class="ranking">
        {hits.map(({ text, score, ...passage }, index) => (
          <li key={`${passage.documentId}-${passage.start}`}>
            <button
              type="button"
              class="quiet"
              onClick={({ currentTarget }) =>
                onOpen({ ...passage, sourceId: String(index + 1), quote: text }, currentTarget)
              }
            >
              {passage.title}
            </button>{' '}
            <span class="muted">score {score.toFixed(2)}</span>
            <meter aria-label={`Score of ${passage.title}`} value={score} max={hits[0]?.score} />
            <p class="muted one-line">{spokenText(text)}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
