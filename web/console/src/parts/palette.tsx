import { useId, useState } from 'preact/hooks';
import { agentPath, page } from '../api/request.js';
import type { Agent, Source } from '../api/types.js';
import { useDelayed, useLoaded } from '../loading.js';
import { agentSections } from '../pages/agent/sections.js';
import { go, path } from '../router.js';
import { Dialog } from './confirm.js';
import { Problem } from './notice.js';
import { openAgent } from './sidebar.js';

export interface Command {
  name: string;
  run: () => void;
}

interface PaletteProps {
  /** Commands offered on every page. */
  commands: readonly Command[];
  onClose: () => void;
}

/** Maximum number of agents, and of sources, that the service finds. */
const MOST_FOUND = 6;
const MAX_SHOWN = 14;

/** Finds pages, agents, sources of the open agent, and actions by name. */
export function Palette({ commands, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const q = useDelayed(typed.trim());
  const agent = path.value[0] === 'agents' ? openAgent.value : null;
  const { data, failure } = useLoaded(
    async (signal) => {
      const query = { limit: MOST_FOUND, q };
      const agents = await page<Agent>('/agents', query, signal);
      const sources = agent && q ? await page<Source>(agentPath(agent.id, 'sources'), query, signal) : null;
      return [
        ...agents.data.map(({ id, name }) => ({ name: `Agent ${name}`, run: () => go('agents', id) })),
        ...(sources?.data ?? []).map(({ id, title }) => ({
          name: `Source ${title}`,
          run: () => go('agents', agent?.id ?? '', 'sources', id),
        })),
      ];
    },
    [q, agent?.id],
  );
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const named = [...(agent ? pagesOf(agent) : []), ...commands].filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  );
  const found: Command[] = [...named.slice(0, MAX_SHOWN - (data?.length ?? 0)), ...(data ?? [])];
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
        aria-label="Page, agent, source or action"
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-activedescendant={shown.length > 0 ? `${list}-${current}` : undefined}
        placeholder="Page, agent, source or action"
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
            key={`${index}-${command.name}`}
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
      <Problem failure={failure} />
      {shown.length === 0 && !failure && <p class="muted">No page, agent, source or action has this name.</p>}
      <p class="hint">Arrow keys choose, Enter opens, Escape closes. ? lists all shortcuts.</p>
    </Dialog>
  );
}

const pagesOf = ({ id, name }: Agent): Command[] =>
  agentSections
    .flatMap(({ places }) => places)
    .map((page) => ({ name: `${name} › ${page.name}`, run: () => go('agents', id, page.place) }));
