import { useState } from 'preact/hooks';
import { agentPath, ask } from '../api/request.js';
import type { Agent } from '../api/types.js';
import { SchemaForm } from '../forms/schema-form.js';
import { useLoaded } from '../loading.js';
import { announce } from '../parts/announce.js';
import { Confirm, Dialog } from '../parts/confirm.js';
import { Heading } from '../parts/heading.js';
import { Loading, Problem } from '../parts/notice.js';
import { go, to } from '../router.js';

/** One agent: its name, and the pages about it. */
export function AgentPage({ agentId }: { agentId: string }) {
  const {
    data: agent,
    failure,
    reload,
    show,
  } = useLoaded((signal) => ask<Agent>(agentPath(agentId), { signal }), [agentId]);
  if (failure) return <Problem failure={failure} retry={reload} />;
  if (!agent) return <Loading />;
  return (
    <>
      <p class="crumb">
        <a href={to('agents')}>Agents</a>
      </p>
      <Heading title={agent.name}>
        <Controls agent={agent} show={show} />
      </Heading>
    </>
  );
}

function Controls({ agent, show }: { agent: Agent; show: (agent: Agent) => void }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const save = async (body: object) => {
    show(await ask<Agent>(agentPath(agent.id), { method: 'PATCH', body }));
    announce('Saved.');
    close();
  };
  return (
    <div class="actions">
      <button type="button" onClick={() => setOpen('edit')}>
        Rename
      </button>
      <button type="button" class="danger" onClick={() => setOpen('delete')}>
        Delete
      </button>
      {open === 'edit' && (
        <Dialog title="Name and website" onClose={close}>
          <SchemaForm
            operation="updateAgent"
            stored={{ ...agent }}
            verb="Save"
            send={save}
            onCancel={close}
          />
        </Dialog>
      )}
      {open === 'delete' && (
        <Confirm
          title={`Delete ${agent.name}?`}
          verb="Delete agent"
          work={() => ask(agentPath(agent.id), { method: 'DELETE' })}
          onClose={(done) => {
            close();
            if (!done) return;
            announce(`${agent.name} was deleted.`);
            go('agents');
          }}
        >
          <p>Its sources, settings and conversations go with it. This cannot be taken back.</p>
        </Confirm>
      )}
    </div>
  );
}
