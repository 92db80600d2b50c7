import { useState } from 'preact/hooks';
import { limits } from '../../../../../../core/schemas/limits.js';
import { agentPath, ask } from '../../../api/request.js';
import type { Automation } from '../../../api/types.js';
import { useAction, useList } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { ConfirmButton, Dialog } from '../../../parts/confirm.js';
import { Filter, Total } from '../../../parts/filter.js';
import { Empty, Problem } from '../../../parts/notice.js';
import { may, Permitted } from '../../../parts/permitted.js';
import { Rows } from '../../../parts/rows.js';
import { AutomationForm } from './automation-form.js';
import { conflictOf, statusNames, typeTexts } from './automation-texts.js';

type AutomationType = Automation['type'];

const types = Object.keys(typeTexts) as AutomationType[];

/** Automations of the agent, newest first. */
export function Automations({ agentId }: { agentId: string }) {
  const path = agentPath(agentId, 'channels', 'social', 'automations');
  const [status, setStatus] = useState('');
  const list = useList<Automation>(path, { limit: '100', status });
  const { reload } = list;
  const [open, setOpen] = useState<AutomationType | Automation | null>(null);
  const saved = () => {
    setOpen(null);
    confirmDone('The automation was saved.');
    reload();
  };
  return (
    <section>
      <div class="find">
        <h2>Automations</h2>
        <Filter
          label="Status"
          any="Drafts and live ones"
          choices={Object.entries(statusNames)}
          value={status}
          onChange={setStatus}
        />
        <Total list={list} what="automation" />
      </div>
      <p class="muted">
        Each sends its message to people who comment below a post, or reply to a story. At most{' '}
        {limits.social.automations} per agent.
      </p>
      <div class="actions add">
        <Permitted needs="edit" what="changing automations">
          {types.map((type) => (
            <button key={type} type="button" onClick={() => setOpen(type)}>
              New: {typeTexts[type].name.toLowerCase()}
            </button>
          ))}
        </Permitted>
      </div>
      <Rows
        list={list}
        empty={<Empty title={status === '' ? 'No automations yet.' : 'No automation has this status.'} />}
      >
        {(automation) => (
          <Row
            key={automation.id}
            agentId={agentId}
            automation={automation}
            onChange={reload}
            onEdit={() => setOpen(automation)}
          />
        )}
      </Rows>
      {open !== null && (
        <Dialog
          title={
            typeof open === 'string' ? `New automation: ${typeTexts[open].name.toLowerCase()}` : open.name
          }
          onClose={() => setOpen(null)}
        >
          <AutomationForm
            agentId={agentId}
            {...(typeof open === 'string' ? { type: open } : { type: open.type, stored: open })}
            onSaved={saved}
            onCancel={() => setOpen(null)}
          />
        </Dialog>
      )}
    </section>
  );
}

interface RowProps {
  agentId: string;
  automation: Automation;
  onChange: () => void;
  onEdit: () => void;
}

function Row({ agentId, automation, onChange, onEdit }: RowProps) {
  const { id, type, name, status } = automation;
  const { busy, failure, run } = useAction();
  const isLive = status === 'live';
  const path = agentPath(agentId, 'channels', 'social', 'automations', id);
  const turn = () =>
    run(async () => {
      await ask(path, { method: 'PATCH', body: { status: isLive ? 'draft' : 'live' } });
      confirmDone(isLive ? `${name} is a draft now.` : `${name} is live.`);
      onChange();
    });
  const conflict = failure && conflictOf(failure, agentId, type);
  return (
    <li>
      <div>
        <strong>{name}</strong> <span class={`state ${isLive ? 'ready' : ''}`}>{statusNames[status]}</span>
        <p class="muted small">{summaryOf(automation)}</p>
        {conflict ? (
          <p class="notice bad" role="alert">
            {conflict}
          </p>
        ) : (
          <Problem failure={failure} />
        )}
      </div>
      {may('edit') && (
        <div class="row-actions">
          <button
            type="button"
            disabled={busy}
            aria-label={isLive ? `Make a draft: ${name}` : `Set live: ${name}`}
            onClick={() => void turn()}
          >
            {isLive ? 'Make a draft' : 'Set live'}
          </button>
          <button type="button" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </button>
          <ConfirmButton
            label="Delete"
            name={`Delete ${name}`}
            class="quiet"
            title={`Delete ${name}?`}
            verb="Delete automation"
            work={() => ask(path, { method: 'DELETE' })}
            done={`${name} was deleted.`}
            onDone={onChange}
          >
            <p>Messages that it has already queued are sent.</p>
          </ConfirmButton>
        </div>
      )}
    </li>
  );
}

/** Describes the target and the keywords. */
function summaryOf({ type, keywords, ...automation }: Automation): string {
  const { name, target, scopes, scopeField, idField } = typeTexts[type];
  const scope = automation[scopeField];
  const where =
    scope === 'specific'
      ? `${target} ${automation[idField] ?? '?'}`
      : scope
        ? scopes[scope].toLowerCase()
        : null;
  return [
    name,
    where ?? `no ${target} chosen yet`,
    keywords.length === 0 ? 'everything' : keywords.map((word) => `“${word}”`).join(', '),
  ].join(' · ');
}
