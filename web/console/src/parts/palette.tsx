import { useId, useMemo, useState } from 'preact/hooks';
import { page } from '../api/request.js';
import type { Agent } from '../api/types.js';
import { useLoaded } from '../loading.js';
import { agentSections } from '../pages/agent/sections.js';
import { go, path } from '../router.js';
import { Dialog } from './confirm.js';

export interface Command {
  name: string;
  run: () => void;
}

interface PaletteProps {
  /** Commands offered on every page. */
  commands: readonly Command[];
  onClose: () => void;
}

/** Maximum number of agents to search. */
const MAX_AGENTS = 100;
const MAX_SHOWN = 12;

/** Finds pages, agents and actions by name. */
export function Palette({ commands, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const { data } = useLoaded((signal) => page<Agent>('/agents', { limit: MAX_AGENTS }, signal), []);
  const all = useMemo(
    () => [...pagesOf(data?.data ?? []), ...(data?.data ?? []).map(toAgent), ...commands],
    [data, commands],
  );
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const shown = found.slice(0, MAX_SHOWN);
  const current = Math.min(at, shown.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((current + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter') run(shown[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose} isQuestion>
      <input
        type="text"
        role="combobox"
        aria-label="Page, agent or action"
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-activedescendant={shown.length > 0 ? `${list}-${current}` : undefined}
        placeholder="Page, agent or action"
        autocomplete="off"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label="Results" class="palette">
        {shown.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the input choose an option
          <div
            key={command.name}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => run(command)}
          >
            {command.name}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="muted">No page, agent or action has this name.</p>}
      <p class="hint">
        Arrow keys choose, Enter opens, Escape closes. Ctrl+K or ⌘K opens this list, Ctrl+S or ⌘S saves a
        form.
      </p>
    </Dialog>
  );
}

const toAgent = ({ id, name }: Agent): Command => ({ name: `Agent ${name}`, run: () => go('agents', id) });

/** Returns the pages of the current agent. */
function pagesOf(agents: readonly Agent[]): Command[] {
  const [place, id] = path.value;
  if (place !== 'agents' || id === undefined) return [];
  const name = agents.find((agent) => agent.id === id)?.name ?? 'This agent';
  return agentSections
    .flatMap(({ places }) => places)
    .map((page) => ({ name: `${name} › ${page.name}`, run: () => go('agents', id, page.place) }));
}
