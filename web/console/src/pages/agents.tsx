import { useState } from 'preact/hooks';
import { ask } from '../api/request.js';
import type { Agent } from '../api/types.js';
import { SchemaForm } from '../forms/schema-form.js';
import { useAction, useList } from '../loading.js';
import { confirmDone } from '../parts/announce.js';
import { Dialog } from '../parts/confirm.js';
import { Heading } from '../parts/heading.js';
import { Empty, Loading, More, Problem, Unsearched } from '../parts/notice.js';
import { several } from '../parts/numbers.js';
import { may, Permitted } from '../parts/permitted.js';
import { go } from '../router.js';
import { AgentCard } from './agent-card.js';
import { agentTexts } from './agent-texts.js';

/** The agents of the workspace, newest first. */
export function Agents() {
  const [creating, setCreating] = useState(false);
  const [wanted, setWanted] = useState('');
  const list = useList<Agent>('/agents', {}, wanted.trim() !== '');
  const { items, total, more, failure, reload } = list;
  const shown = items?.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const example = useAction();
  const tryExample = () =>
    example.run(async () => {
      const { createExample } = await import('./example-agent.js');
      go('agents', (await createExample()).id, 'ask');
    });
  const create = async (body: object) => {
    const agent = await ask<Agent>('/agents', { method: 'POST', body });
    confirmDone(`${agent.name} was created.`);
    go('agents', agent.id, 'sources');
  };
  return (
    <>
      <Heading title="Agents">
        <Permitted needs="agents.create">
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            New agent
          </button>
        </Permitted>
      </Heading>
      <Problem failure={failure} retry={reload} />
      {!items && !failure && <Loading />}
      {items?.length === 0 && (
        <Empty title="No agents yet.">
          <p>An agent answers questions from what you teach it: texts, pages and files.</p>
          {may('agents.create') && (
            <>
              <p>Make one, drop a file on it, and ask it something.</p>
              <p>
                <button type="button" class="primary" onClick={() => setCreating(true)}>
                  Make the first agent
                </button>{' '}
                <button type="button" disabled={example.busy} onClick={() => void tryExample()}>
                  {example.busy ? 'Teaching the example…' : 'Try with an example'}
                </button>
              </p>
              <p>
                The example knows the documentation of this service. You can ask it at once, and delete it.
              </p>
            </>
          )}
          <Problem failure={example.failure} />
        </Empty>
      )}
      {items && items.length > 0 && (
        <>
          <div class="find">
            <input
              type="search"
              aria-label="Find by name"
              placeholder="Find by name"
              value={wanted}
              onInput={(event) => setWanted(event.currentTarget.value)}
            />
            <span class="muted" role="status">
              {wanted.trim() === ''
                ? several(total, 'agent')
                : `${shown?.length} of ${several(total, 'agent')}`}
            </span>
          </div>
          <ul class="cards">
            {shown?.map((agent) => (
              <AgentCard key={agent.id} {...agent} />
            ))}
          </ul>
          {wanted.trim() !== '' && <Unsearched list={list} what="agent" />}
          <More more={more} />
        </>
      )}
      {creating && (
        <Dialog title="New agent" onClose={() => setCreating(false)}>
          <SchemaForm
            operation="createAgent"
            verb="Create agent"
            texts={agentTexts}
            send={create}
            onCancel={() => setCreating(false)}
          />
        </Dialog>
      )}
    </>
  );
}
