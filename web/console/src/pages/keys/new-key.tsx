import { useState } from 'preact/hooks';
import { type KeyScope, keyScopes } from '../../../../../core/schemas/key-scopes.js';
import { limits } from '../../../../../core/schemas/limits.js';
import type { Agent } from '../../api/types.js';
import { type Listed, useAction } from '../../loading.js';
import { FormEnd } from '../../parts/form-end.js';
import { useUnsaved } from '../../unsaved.js';
import { AgentChoice } from './agent-choice.js';
import { scopeTexts } from './scope-texts.js';

interface NewKeyProps {
  agents: Listed<Agent>;
  send: (body: object) => Promise<void>;
  onCancel: () => void;
}

/** Lifetimes of keys in days; null for no expiry. */
const lifetimes = [
  { name: 'Never', days: null },
  { name: 'In 7 days', days: 7 },
  { name: 'In 30 days', days: 30 },
  { name: 'In 90 days', days: 90 },
  { name: 'In a year', days: 365 },
];

/** Offer the most limited scopes first. */
const offered = keyScopes.toSorted((one, other) => Number(one === 'full') - Number(other === 'full'));

/** The form for a key: name, rights, agents, expiry. */
export function NewKey({ agents, send, onCancel }: NewKeyProps) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<KeyScope>('read');
  const [agentIds, setAgentIds] = useState<readonly string[] | null>(null);
  const [days, setDays] = useState<number | null>(null);
  const { busy, failure, run } = useAction();
  useUnsaved(name !== '' && !busy);
  const submit = (event: Event) => {
    event.preventDefault();
    const expiresAt = days === null ? null : Math.floor(Date.now() / 1000) + days * 86_400;
    void run(() => send({ name, scope, agentIds, expiresAt }));
  };
  return (
    <form onSubmit={submit}>
      <div class="field">
        <label for="key-name">Name</label>
        <p class="about">Who or what uses the key, so that you recognise it later.</p>
        <input
          id="key-name"
          required
          maxLength={limits.keys.name.max}
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <fieldset class="field">
        <legend>Rights</legend>
        {offered.map((value) => (
          <label key={value} class="tick option">
            <input type="radio" name="scope" checked={scope === value} onChange={() => setScope(value)} />
            <span>
              <strong>{scopeTexts[value].name}</strong> <span class="muted">{scopeTexts[value].about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset class="field">
        <legend>Agents</legend>
        <label class="tick">
          <input type="radio" name="agents" checked={agentIds === null} onChange={() => setAgentIds(null)} />
          All agents, later ones included
        </label>
        <label class="tick">
          <input type="radio" name="agents" checked={agentIds !== null} onChange={() => setAgentIds([])} />
          Only some
        </label>
        {agentIds !== null && <AgentChoice agents={agents} chosen={agentIds} onChange={setAgentIds} />}
      </fieldset>
      <div class="field">
        <label for="key-expiry">Expires</label>
        <select
          id="key-expiry"
          value={String(days)}
          onChange={({ currentTarget: { value } }) => setDays(value === 'null' ? null : Number(value))}
        >
          {lifetimes.map((lifetime) => (
            <option key={lifetime.name} value={String(lifetime.days)}>
              {lifetime.name}
            </option>
          ))}
        </select>
      </div>
      <FormEnd
        failure={failure}
        verb="Create key"
        isDisabled={busy || name.trim() === '' || agentIds?.length === 0}
        onCancel={onCancel}
      />
    </form>
  );
}
