import { useState } from 'preact/hooks';
import { ask } from '../../api/request.js';
import type { Agent, Key, KeyWithSecret } from '../../api/types.js';
import { useList } from '../../loading.js';
import { ConfirmButton, Dialog } from '../../parts/confirm.js';
import { When } from '../../parts/figures.js';
import { Heading } from '../../parts/heading.js';
import { several } from '../../parts/numbers.js';
import { Rows } from '../../parts/rows.js';
import { Secret } from '../../parts/secret.js';
import { NewKey } from './new-key.js';
import { scopeTexts } from './scope-texts.js';

/** The API keys of the workspace. */
export function Keys() {
  const list = useList<Key>('/keys');
  const { items, reload } = list;
  const [open, setOpen] = useState<'new' | { secret: string } | null>(null);
  const isNamed = items?.some(({ agentIds }) => agentIds !== null) ?? false;
  const agents = useList<Agent>('/agents', { limit: '100' }, isNamed || open === 'new');
  const close = () => setOpen(null);
  const create = async (body: object) => {
    const { secret } = await ask<KeyWithSecret>('/keys', { method: 'POST', body });
    reload();
    setOpen({ secret });
  };
  const names = new Map((agents.items ?? []).map(({ id, name }) => [id, name]));
  return (
    <>
      <Heading title="Keys">
        <button type="button" class="primary" onClick={() => setOpen('new')}>
          New key
        </button>
      </Heading>
      <p class="muted">
        A key opens the API and this console. Give colleagues and programs a key of their own with only the
        rights that they need, so that you can take it back.
      </p>
      <Rows list={list}>
        {(key) => <KeyRow key={key.id} apiKey={key} names={names} onDeleted={reload} />}
      </Rows>
      {open === 'new' && (
        <Dialog title="New key" onClose={close}>
          <NewKey agents={agents} send={create} onCancel={close} />
        </Dialog>
      )}
      {open !== null && open !== 'new' && (
        <Secret secret={open.secret} onClose={close}>
          Whoever has this key can use it. Pass it on over a safe channel.
        </Secret>
      )}
    </>
  );
}

interface KeyRowProps {
  apiKey: Key;
  /** Names of agents by id. */
  names: ReadonlyMap<string, string>;
  onDeleted: () => void;
}

function KeyRow({ apiKey: key, names, onDeleted }: KeyRowProps) {
  const isOver = key.expiresAt !== null && key.expiresAt * 1000 < Date.now();
  return (
    <li>
      <div>
        <strong>{key.name}</strong> <code class="muted">{key.prefix}…</code>{' '}
        {key.current && <span class="state ready">You use it now</span>}
        <p class="muted small">
          {scopeTexts[key.scope].name} · {agentsOf(key, names)} ·{' '}
          {key.expiresAt === null ? (
            'does not expire'
          ) : (
            <>
              {isOver ? 'expired ' : 'expires '}
              <When seconds={key.expiresAt} />
            </>
          )}{' '}
          · last used <When seconds={key.lastUsedAt} />
        </p>
      </div>
      <ConfirmButton
        label="Delete"
        name={`Delete ${key.name}`}
        class="quiet"
        title={`Delete the key ${key.name}?`}
        verb="Delete key"
        work={() => ask(`/keys/${key.id}`, { method: 'DELETE' })}
        done={`${key.name} was deleted.`}
        onDone={onDeleted}
      >
        <p>
          Clients with this key are refused within seconds.
          {key.current && <strong> You are signed in with it, so you are signed out too.</strong>}
        </p>
      </ConfirmButton>
    </li>
  );
}

function agentsOf({ agentIds }: Key, names: ReadonlyMap<string, string>): string {
  if (agentIds === null) return 'all agents';
  if (agentIds.length === 0) return 'no agents, because its agents were deleted';
  return agentIds.length > 3
    ? several(agentIds.length, 'agent')
    : agentIds.map((id) => names.get(id) ?? 'another agent').join(', ');
}
