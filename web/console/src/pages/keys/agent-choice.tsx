import { useState } from 'preact/hooks';
import { limits } from '../../../../../core/schemas/limits.js';
import type { Agent } from '../../api/types.js';
import type { Listed } from '../../loading.js';
import { Loading, More, Problem, Unsearched } from '../../parts/notice.js';
import { count, several } from '../../parts/numbers.js';
import { Tick } from '../../parts/tick.js';

interface AgentChoiceProps {
  agents: Listed<Agent>;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Maximum number of agents to list. Others are found by name. */
const MAX_SHOWN = 50;

/** Chooses agents of the workspace by name. */
export function AgentChoice({ agents, chosen, onChange }: AgentChoiceProps) {
  const { items, total, more, failure, reload, isLoadingAll } = agents;
  const [wanted, setWanted] = useState('');
  const word = wanted.trim().toLowerCase();
  const found = items?.filter(({ name }) => name.toLowerCase().includes(word)) ?? [];
  const first = new Set(found.slice(0, MAX_SHOWN));
  const shown = items?.filter((agent) => first.has(agent) || chosen.includes(agent.id)) ?? [];
  const isFull = chosen.length >= limits.keys.agents.max;
  const change = (agentId: string, isChosen: boolean) =>
    onChange([...chosen.filter((id) => id !== agentId), ...(isChosen ? [agentId] : [])]);
  return (
    <>
      {total > MAX_SHOWN && (
        <input
          type="search"
          aria-label="Find an agent"
          placeholder="Find an agent"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <Problem failure={failure} retry={reload} />
      {!items && !failure && <Loading />}
      <div class="ticks">
        {shown.map(({ id, name }) => (
          <Tick
            key={id}
            checked={chosen.includes(id)}
            disabled={isFull && !chosen.includes(id)}
            onChange={(isOn) => change(id, isOn)}
          >
            {name}
          </Tick>
        ))}
      </div>
      <p class="hint" role="status">
        {count(chosen.length)} of at most {several(limits.keys.agents.max, 'agent')} chosen
        {found.length > MAX_SHOWN &&
          `. ${count(found.length - MAX_SHOWN)} more match: search for their names`}
        {items && found.length === 0 && !isLoadingAll && '. No agent has this name'}
      </p>
      <Unsearched list={agents} what="agent" />
      {!isLoadingAll && <More more={more} />}
    </>
  );
}
