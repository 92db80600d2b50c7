import { description } from './api/description.js';
import { surroundings } from './api/surroundings.js';
import { useLoaded } from './loading.js';
import { Agents } from './pages/agents.js';
import { SignIn } from './pages/sign-in.js';
import { Announcer } from './parts/announce.js';
import { Later } from './parts/later.js';
import { path, to } from './router.js';
import { signedIn, signOut } from './session.js';

/** The pages of the shell; `path` is what the API must have for one. */
const places = [
  { name: 'Agents', place: 'agents', path: '/agents' },
  { name: 'Webhooks', place: 'webhooks', path: '/webhooks' },
  { name: 'Workspace', place: 'workspace', path: '/workspace' },
];

/** What every version of the API has; shown before it has told what it has. */
const basics = { '/agents': true, '/workspace': true };

/** Pages that are loaded when somebody goes there. */
const pages = {
  agent: () => import('./pages/agent/agent.js').then(({ AgentPage }) => AgentPage),
  workspace: () => import('./pages/workspace.js').then(({ WorkspacePage }) => WorkspacePage),
  webhooks: () => import('./pages/webhooks/webhooks.js').then(({ Webhooks }) => Webhooks),
  webhook: () => import('./pages/webhooks/webhook.js').then(({ WebhookPage }) => WebhookPage),
};

function Page() {
  const [place = 'agents', id] = path.value;
  if (place === 'agents' && id !== undefined)
    return <Later key={id} load={pages.agent} props={{ agentId: id }} />;
  if (place === 'webhooks')
    return id === undefined ? (
      <Later key="webhooks" load={pages.webhooks} props={{}} />
    ) : (
      <Later key={id} load={pages.webhook} props={{ webhookId: id }} />
    );
  if (place === 'workspace') return <Later key="workspace" load={pages.workspace} props={{}} />;
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
  return <SignedIn />;
}

function SignedIn() {
  const [here = 'agents'] = path.value;
  const { data } = useLoaded(description, []);
  const { data: beside } = useLoaded(surroundings, []);
  const offered = places.filter((place) => place.path in (data?.paths ?? basics));
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
          {offered.map(({ name, place }) => (
            <a key={place} href={to(place)} aria-current={here === place ? 'page' : undefined}>
              {name}
            </a>
          ))}
          {beside?.hasReference && <a href="/docs">API</a>}
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
