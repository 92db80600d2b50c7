import { useState } from 'preact/hooks';
import { ask } from '../../api/request.js';
import type { Model, ModelTest } from '../../api/types.js';
import { useAction, useLoaded } from '../../loading.js';
import { Heading } from '../../parts/heading.js';
import { Empty, Loading, Problem } from '../../parts/notice.js';
import { count, several } from '../../parts/numbers.js';
import { may } from '../../parts/permitted.js';
import { to } from '../../router.js';
import { ConnectModel } from './connect-model.js';
import { type ModelUser, type UsedModels, useUsedModels } from './used-models.js';

/** The language models that the operator has connected, and which agents use them. */
export function Models() {
  const { data, failure, reload } = useLoaded((signal) => ask<{ data: Model[] }>('/models', { signal }), []);
  const used = useUsedModels();
  const configured = data?.data.filter((model) => model.configured) ?? [];
  const others = data?.data.filter((model) => !model.configured) ?? [];
  return (
    <>
      <Heading title="Models" />
      <Problem failure={failure} retry={reload} />
      {!data && !failure && <Loading />}
      {data && configured.length === 0 && (
        <Empty title="No language model is configured.">
          <p>
            Agents answer with quotes from their sources, which costs nothing. The operator of this service
            can connect a model with the setting <code>plugins.model</code>; the agents then write their
            answers.
          </p>
        </Empty>
      )}
      <ul class="rows">
        {configured.map((model) => (
          <ModelRow key={model.model} model={model} users={used.agents && usersOf(model, used.agents)} />
        ))}
      </ul>
      {configured.length > 0 && <UsedBy {...used} />}
      {data && <ConnectModel isOpen={configured.length === 0} />}
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

/** Returns the agents that use this model. Agents without their own model use the default. */
const usersOf = ({ model, default: isDefault }: Model, agents: readonly ModelUser[]): ModelUser[] =>
  agents.filter(({ chosen }) => chosen === model || (chosen === null && isDefault));

/** Lists the agents that use a model. With many agents, loads them on request. */
function UsedBy({ agents, total, checked, busy, failure, check }: UsedModels) {
  if (failure) return <Problem failure={failure} retry={check} />;
  if (busy)
    return (
      <p class="muted small" role="status">
        Reading the settings of {count(checked)} of {several(total, 'agent')}…
      </p>
    );
  if (agents !== null && agents.length < total)
    return (
      <p class="muted small">
        The newest {count(agents.length)} of {several(total, 'agent')} were checked.
      </p>
    );
  return (
    agents === null &&
    total > 0 && (
      <p>
        <button type="button" onClick={check}>
          Show which of {several(total, 'agent')} use them
        </button>
      </p>
    )
  );
}

/** Maximum number of agents named in a row. */
const MAX_NAMED = 5;

interface ModelRowProps {
  model: Model;
  /** Agents that use the model; null while unknown. */
  users: readonly ModelUser[] | null;
}

function ModelRow({ model, users }: ModelRowProps) {
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
          {[model.provider && `Provider ${model.provider}`, users?.length === 0 && 'no agent uses it']
            .filter(Boolean)
            .join(' · ')}
          {users && users.length > 0 && <Users agents={users} isAfter={model.provider !== null} />}
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
      {model.allowed && may('models.test') && (
        <button type="button" disabled={busy} aria-label={`Test ${model.model}`} onClick={() => void test()}>
          Test
        </button>
      )}
    </li>
  );
}

const Users = ({ agents, isAfter }: { agents: readonly ModelUser[]; isAfter: boolean }) => (
  <>
    {isAfter && ' · '}
    {'used by '}
    {agents.slice(0, MAX_NAMED).map(({ id, name }, at) => (
      <span key={id}>
        {at > 0 && ', '}
        <a href={to('agents', id, 'settings', 'behaviour')}>{name}</a>
      </span>
    ))}
    {agents.length > MAX_NAMED && ` and ${several(agents.length - MAX_NAMED, 'more agent')}`}
  </>
);
