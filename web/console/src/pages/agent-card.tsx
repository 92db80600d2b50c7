import { useEffect, useRef, useState } from 'preact/hooks';
import { agentPath, ask } from '../api/request.js';
import type { Agent, Statistics, Training } from '../api/types.js';
import { useLoaded } from '../loading.js';
import { When } from '../parts/figures.js';
import { several } from '../parts/numbers.js';
import { to } from '../router.js';
import { dayBefore } from './day-before.js';

/** An agent with its state, which is loaded when the card becomes visible. */
export function AgentCard({ id, name, url, createdAt }: Agent) {
  const card = useRef<HTMLLIElement>(null);
  const isSeen = useSeen(card);
  const { data } = useLoaded(
    async (signal) => {
      if (!isSeen) return null;
      const query = { from: dayBefore(6) };
      const [training, { days }] = await Promise.all([
        ask<Training>(agentPath(id, 'train'), { signal }),
        ask<Statistics>(agentPath(id, 'statistics'), { query, signal }),
      ]);
      return { ...training, questions: days.reduce((sum, day) => sum + day.questions, 0) };
    },
    [id, isSeen],
  );
  const isEmpty = data?.documentCount === 0 && data.status !== 'training';
  return (
    <li class="card" ref={card}>
      <a class="card-title" href={to('agents', id, isEmpty ? 'sources' : 'home')}>
        {name}
      </a>
      {url && <p class="muted small">{url}</p>}
      <p class="small">{data ? <State {...data} /> : <span class="muted">…</span>}</p>
      <p class="muted small">
        {data && data.questions > 0 && `${several(data.questions, 'question')} in 7 days · `}
        {data?.lastTrainedAt ? (
          <>
            learned <When seconds={data.lastTrainedAt} />
          </>
        ) : (
          <>
            made <When seconds={createdAt} />
          </>
        )}
      </p>
    </li>
  );
}

function State({ status, documentCount }: Training) {
  if (status === 'training') return <span class="state running">Learning</span>;
  if (documentCount === 0) return <span class="state">Knows nothing yet</span>;
  return (
    <>
      <span class="state ready">Ready</span> {several(documentCount, 'source')}
    </>
  );
}

/** Returns whether an element has been visible. */
function useSeen(element: { current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}
