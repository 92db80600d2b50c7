import { agentPath, ask } from '../../../api/request.js';
import type { Agent } from '../../../api/types.js';
import { SchemaForm } from '../../../forms/schema-form.js';
import { confirmDone } from '../../../parts/announce.js';
import { ConfirmButton } from '../../../parts/confirm.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { Permitted } from '../../../parts/permitted.js';
import { go } from '../../../router.js';
import { agentTexts } from '../../agent-texts.js';

/** Name, website and id of an agent, and its deletion. */
export function General({ agent, onChange }: { agent: Agent; onChange: (agent: Agent) => void }) {
  const save = async (body: object) => {
    onChange(await ask<Agent>(agentPath(agent.id), { method: 'PATCH', body }));
    confirmDone('Saved.');
  };
  return (
    <div class="settings">
      <section class="panel" aria-labelledby="settings-general">
        <h2 id="settings-general">General</h2>
        <SchemaForm
          operation="updateAgent"
          stored={{ ...agent }}
          texts={agentTexts}
          verb="Save changes"
          send={save}
          needs="edit"
        />
      </section>
      <section class="panel" aria-labelledby="settings-id">
        <h2 id="settings-id">Agent id</h2>
        <p class="about">Identifies the agent in requests to the API.</p>
        <p class="secret-line">
          <code>{agent.id}</code> <CopyButton text={agent.id} what="agent id" />
        </p>
      </section>
      <section class="panel" aria-labelledby="settings-delete">
        <h2 id="settings-delete">Delete the agent</h2>
        <p class="about">Deletes its sources, settings and conversations too. You cannot undo it.</p>
        <Permitted needs="edit" what="deleting it">
          <ConfirmButton
            label="Delete"
            title={`Delete ${agent.name}?`}
            verb="Delete agent"
            work={() => ask(agentPath(agent.id), { method: 'DELETE' })}
            done={`${agent.name} was deleted.`}
            onDone={() => go('agents')}
          >
            <p>Its sources, settings and conversations are deleted too. You cannot undo it.</p>
          </ConfirmButton>
        </Permitted>
      </section>
    </div>
  );
}
