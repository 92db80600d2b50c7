import { useState } from 'preact/hooks';
import { auditedOperations } from '../../../../../core/audit/operations.js';
import type { AuditRow } from '../../api/types.js';
import { labelOf } from '../../forms/words.js';
import { useAction, useList } from '../../loading.js';
import { When } from '../../parts/figures.js';
import { Filter, Filters } from '../../parts/filter.js';
import { Heading } from '../../parts/heading.js';
import { Empty, Problem } from '../../parts/notice.js';
import { Rows } from '../../parts/rows.js';
import { Changes } from './changes.js';
import { download } from './download.js';

const ofPeople = ['user.accept', 'session.signIn', 'session.signOut', 'session.password', 'session.totp'];
const ofOperators = ['workspace.create', 'user.setupLink', 'user.resetLink', 'user.disable', 'user.delete'];
const actions = [...Object.keys(auditedOperations), ...ofPeople, ...ofOperators].sort();

/** Returns a day of a date field in Unix seconds: its first or its last one. */
function secondsOf(day: string, isEnd: boolean): string {
  const at = Math.floor(new Date(`${day}T00:00:00`).getTime() / 1000);
  return day === '' || Number.isNaN(at) ? '' : String(isEnd ? at + 86_399 : Math.max(1, at));
}

/** The audit log of the workspace, for admins. */
export function AuditPage() {
  const [action, setAction] = useState('');
  const [actor, setActor] = useState<{ id: string; label: string } | null>(null);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const query = {
    action,
    actor: actor?.id ?? '',
    from: secondsOf(from, false),
    to: secondsOf(to, true),
  };
  const list = useList<AuditRow>('/audit', query);
  const saving = useAction();
  return (
    <>
      <Heading title="Audit">
        <button type="button" disabled={saving.busy} onClick={() => void saving.run(() => download(query))}>
          Download as NDJSON
        </button>
      </Heading>
      <p class="muted">Every change of the workspace with its author. Prompts and contents are not shown.</p>
      <Problem failure={saving.failure} />
      <div class="find">
        <Filters set={[action, from, to].filter((value) => value !== '').length}>
          <Filter
            label="Action"
            any="All actions"
            choices={actions.map((name) => [name, labelOf(name)] as const)}
            value={action}
            onChange={setAction}
          />
          <label class="since">
            From <input type="date" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
          </label>
          <label class="since">
            To <input type="date" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
          </label>
        </Filters>
        {actor && (
          <button type="button" onClick={() => setActor(null)}>
            Show everybody, not only {actor.label}
          </button>
        )}
      </div>
      <Rows list={list} empty={<Empty title="No changes match." />}>
        {(row) => <Row key={row.id} row={row} onActor={setActor} />}
      </Rows>
    </>
  );
}

interface RowProps {
  row: AuditRow;
  onActor: (actor: { id: string; label: string }) => void;
}

function Row({ row: { at, actor, action, target, changes, address }, onActor }: RowProps) {
  const { id, label } = actor;
  return (
    <li>
      <div>
        <strong>{labelOf(action)}</strong> {target.label ?? target.type}
        <p class="muted small">
          <When seconds={at} /> by{' '}
          {id === null ? (
            label
          ) : (
            <button type="button" class="quiet" onClick={() => onActor({ id, label })}>
              {label}
            </button>
          )}
          {address && ` from ${address}`}
        </p>
        <Changes changes={changes} />
      </div>
    </li>
  );
}
