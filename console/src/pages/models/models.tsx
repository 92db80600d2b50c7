import { useState } from 'preact/hooks';
import { ask } from '../../api/request.js';
import type { Agent, Model, ModelTest } from '../../api/types.js';
import { useAction, useList, useLoaded } from '../../loading.js';
import { Heading } from '../../parts/heading.js';
import { Loading, Problem } from '../../parts/notice.js';
import { count, several } from '../../parts/numbers.js';
import { to } from '../../router.js';

/** The language models that the operator has connected, and which agents use them. */
export function Models() {
  const { data, failure, reload } = useLoaded((signal) => ask<{ data: Model[] }>('/models', { signal }), []);
  const agents = useList<Agent>('/agents', { limit: '100' });
  const configured = data?.data.filter((model) => model.configured) ?? [];
  const others = data?.data.filter((model) => !model.configured) ?? [];
  return (
    <>
      <Heading title="Models" />
      <Problem failure={failure} retry={reload} />
      {!data && !failure && <Loading />}
      {data && configured.length === 0 && (
        <div class="empty">
          <p class="empty-title">No language model is configured.</p>
          <p>
            Agents answer with quotes from their sources, which costs nothing. The operator of this service
            can connect a model with the setting <code>plugins.model</code>; the agents then write their
            answers.
          </p>
        </div>
      )}
      <ul class="rows">
        {configured.map((model) => (
          <ModelRow key={model.model} model={model} agents={usersOf(model, agents.items ?? [])} />
        ))}
      </ul>
      {others.length > 0 && (
        <details class="others">
          <summary>{several(others.length, 'model')} not configured</summary>
          <ul class="plain">
            {others.map(({ model, allowed }) => (
              <li key={model}>
                <code>{model}</code> {!allowed && <span class="muted">not in the plan</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Agents with this model. Without one of their own, agents use the default. */
const usersOf = ({ model, default: isDefault }: Model, agents: readonly Agent[]): Agent[] =>
  agents.filter(({ settings }) => {
    const chosen = (settings as { ai?: { model?: string } }).ai?.model;
    return chosen === model || (chosen === undefined && isDefault);
  });

/** Agents that a row names. */
const MAX_NAMED = 5;

function ModelRow({ model, agents }: { model: Model; agents: readonly Agent[] }) {
  const { busy, failure, run } = useAction();
  const [result, setResult] = useState<ModelTest | null>(null);
  const test = () =>
    run(async () => {
      setResult(null);
      setResult(await ask<ModelTest>('/models/test', { method: 'POST', body: { model: model.model } }));
    });
  return (
    <li>
      <div>
        <strong>{model.model}</strong> {model.default && <span class="state">Default</span>}{' '}
        {!model.allowed && <span class="state">Not in the plan</span>}
        <p class="muted small">
          {model.provider && `Provider ${model.provider} · `}
          {agents.length === 0 ? 'no agent uses it' : 'used by '}
          {agents.slice(0, MAX_NAMED).map(({ id, name }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <a href={to('agents', id, 'settings', 'behaviour')}>{name}</a>
            </span>
          ))}
          {agents.length > MAX_NAMED && ` and ${several(agents.length - MAX_NAMED, 'more agent')}`}
        </p>
        <div role="status">
          {busy && <p class="muted small">Waiting for the model…</p>}
          {result?.ok && <p class="good small">It answered in {count(result.latencyMs)} ms.</p>}
          {result?.error && (
            <p class="task-problem small">
              It did not answer. {result.error.message} <code>{result.error.code}</code>
            </p>
          )}
        </div>
        <Problem failure={failure} />
      </div>
      <button type="button" disabled={busy} aria-label={`Test ${model.model}`} onClick={() => void test()}>
        Test
      </button>
    </li>
  );
}
