import type { ComponentType } from 'preact';
import { Agents } from './pages/agents.js';
import { SignIn } from './pages/sign-in.js';
import { Announcer } from './parts/announce.js';
import { Later } from './parts/later.js';
import { path, to } from './router.js';
import { signedIn, signOut } from './session.js';

const places = [
  { name: 'Agents', place: 'agents' },
  { name: 'Workspace', place: 'workspace' },
];

/** Pages that are loaded when somebody goes there. */
const agentPage = () =>
  import('./pages/agent/agent.js').then(({ AgentPage }) => AgentPage as ComponentType<object>);
const workspacePage = () =>
  import('./pages/workspace.js').then(({ WorkspacePage }) => WorkspacePage as ComponentType<object>);

function Page() {
  const [place = 'agents', id] = path.value;
  if (place === 'agents' && id !== undefined)
    return <Later key={id} load={agentPage} props={{ agentId: id }} />;
  if (place === 'workspace') return <Later key="workspace" load={workspacePage} props={{}} />;
  return <Agents key="agents" />;
}

export function App() {
  if (!signedIn.value)
    return (
      <>
        <SignIn />
        <Announcer />
      </>
    );
  const [here = 'agents'] = path.value;
  return (
    <>
      <button type="button" class="skip" onClick={toContent}>
        Skip to content
      </button>
      <header class="top">
        <a class="brand" href={to()}>
          Cadre
        </a>
        <nav aria-label="Console">
          {places.map(({ name, place }) => (
            <a key={place} href={to(place)} aria-current={here === place ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <button type="button" class="quiet" onClick={() => signOut()}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <Page />
      </main>
      <Announcer />
    </>
  );
}

/** The part behind `#` names the page: the jump is made by hand. */
function toContent(): void {
  document.querySelector<HTMLElement>('#main')?.focus();
}
