import { agentPath, ask } from '../../../api/request.js';
import type { Agent, AgentHome } from '../../../api/types.js';
import { useLoaded } from '../../../loading.js';
import { Loading, Problem } from '../../../parts/notice.js';
import { count } from '../../../parts/numbers.js';
import { to } from '../../../router.js';
import { Bars } from '../statistics/bars.js';

type Step = AgentHome['checklist'][number]['id'];
type Need = keyof AgentHome['today'];

/** The steps until an agent is live: what to do, and the page for it. */
const steps: Record<Step, { title: string; about: string; parts: readonly string[] }> = {
  sources: { title: 'Teach it something', about: 'Drop files, or add texts and pages.', parts: ['sources'] },
  answer: { title: 'Ask it a question', about: 'Until one is answered from its sources.', parts: ['ask'] },
  published: {
    title: 'Publish it',
    about: 'On your web page, by a link, or on a social platform.',
    parts: ['widget'],
  },
  notified: {
    title: 'Have somebody notified',
    about: 'By e-mail once a day, or by a webhook.',
    parts: ['settings', 'notifications'],
  },
};

/** Work for a person, and the page for it. */
const needs: Record<Need, { name: string; parts: readonly string[] }> = {
  waiting: { name: 'Waiting visitors', parts: [] },
  unanswered: { name: 'Unanswered questions', parts: ['questions'] },
  negative: { name: 'Badly rated answers', parts: ['questions', '-', 'negative'] },
  failures: { name: 'Failed sources', parts: ['sources'] },
};

/** The steps until the agent is live, the work for a person today, and the questions of 30 days. */
export function Home({ agent, ended }: { agent: Agent; ended: number }) {
  const path = agentPath(agent.id, 'home');
  const { data, failure, reload } = useLoaded((signal) => ask<AgentHome>(path, { signal }), [path, ended]);
  if (!data) return failure ? <Problem failure={failure} retry={reload} /> : <Loading />;
  const done = data.checklist.filter((step) => step.done).length;
  const questions = data.days.reduce((sum, day) => sum + day.questions, 0);
  const inAgent = (parts: readonly string[]) => to('agents', agent.id, ...parts);
  return (
    <>
      {done < data.checklist.length && (
        <section class="panel" aria-labelledby="home-steps">
          <div class="heading">
            <h2 id="home-steps">Until it is live</h2>
            <span class="muted">
              {done} of {data.checklist.length} done
            </span>
          </div>
          <ol class="steps">
            {data.checklist.map((step) => {
              const { title, about, parts } = steps[step.id];
              return (
                <li key={step.id} class={step.done ? 'met' : ''}>
                  <a href={inAgent(parts)}>{title}</a>
                  <span class="unseen">{step.done ? ' (done)' : ' (to do)'}</span>
                  <p class="muted small">{about}</p>
                </li>
              );
            })}
          </ol>
        </section>
      )}
      <section aria-labelledby="home-today">
        <h2 id="home-today">Needs you</h2>
        <ul class="tiles plain">
          {(Object.keys(needs) as Need[]).map((need) => (
            <li key={need} class={data.today[need] > 0 ? 'card tile pressing' : 'card tile'}>
              <a class="card-title" href={need === 'waiting' ? to('inbox') : inAgent(needs[need].parts)}>
                {needs[need].name} <strong>{count(data.today[need])}</strong>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section class="panel" aria-labelledby="home-trend">
        <div class="heading">
          <h2 id="home-trend">Questions in 30 days</h2>
          <a href={inAgent(['statistics'])}>Statistics</a>
        </div>
        {questions > 0 ? (
          <Bars days={data.days} />
        ) : (
          <p class="muted">
            Nobody has asked anything yet. <a href={inAgent(['ask'])}>Ask it yourself</a>
          </p>
        )}
      </section>
    </>
  );
}
