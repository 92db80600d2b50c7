import { useEffect, useState } from 'preact/hooks';
import { agentPath, ask } from './api/request.js';
import { canStaySignedIn, surroundings } from './api/surroundings.js';
import type { Agent, Me } from './api/types.js';
import { useLoaded } from './loading.js';
import { Agents } from './pages/agents.js';
import { isOidcPage, OidcPage } from './pages/oidc-page.js';
import { isLinkPage, LinkPage } from './pages/person-forms.js';
import { SignIn } from './pages/sign-in.js';
import { Announcer } from './parts/announce.js';
import { ConfirmLeaving } from './parts/confirm.js';
import { Heading } from './parts/heading.js';
import { Lazy } from './parts/lazy.js';
import { caller, may, Permitted } from './parts/permitted.js';
import { Sidebar } from './parts/sidebar.js';
import { go, path, to } from './router.js';
import { failedSignIns, keepInTab, mustEnrol, signedIn, signOut } from './session.js';
import { hasUnsaved, leave } from './unsaved.js';
import { firstPlaces, workspacePlaces } from './workspace-places.js';

/** Actions that the palette offers on every page. */
const commands = () => [
  ...[...firstPlaces, ...workspacePlaces]
    .filter(({ needs }) => needs === undefined || may(needs))
    .map(({ name, place }) => ({ name, run: () => go(place) })),
  { name: 'Sign out', run: () => leave(signOut) },
];

/** Pages loaded on demand. */
const pages = {
  agent: () => import('./pages/agent/agent.js').then(({ AgentPage }) => AgentPage),
  inbox: () => import('./pages/inbox/inbox.js').then(({ Inbox }) => Inbox),
  models: () => import('./pages/models/models.js').then(({ Models }) => Models),
  members: () => import('./pages/members/members.js').then(({ Members }) => Members),
  audit: () => import('./pages/audit/audit.js').then(({ AuditPage }) => AuditPage),
  keys: () => import('./pages/keys/keys.js').then(({ Keys }) => Keys),
  workspace: () => import('./pages/workspace.js').then(({ WorkspacePage }) => WorkspacePage),
  webhooks: () => import('./pages/webhooks/webhooks.js').then(({ Webhooks }) => Webhooks),
  profile: () => import('./pages/profile/profile.js').then(({ Profile }) => Profile),
  enrolment: () => import('./pages/profile/enrolment.js').then(({ Enrolment }) => Enrolment),
  palette: () => import('./parts/palette.js').then(({ Palette }) => Palette),
  shortcuts: () => import('./parts/shortcuts.js').then(({ Shortcuts }) => Shortcuts),
  webhook: () => import('./pages/webhooks/webhook.js').then(({ WebhookPage }) => WebhookPage),
};

/** Pages of the workspace that need nothing of the address. */
const plain = ['inbox', 'models', 'members', 'audit', 'keys', 'workspace', 'profile'] as const;

function Page() {
  const [place = 'agents', id] = path.value;
  const { name = '', needs } = [...firstPlaces, ...workspacePlaces].find((one) => one.place === place) ?? {};
  if (needs && caller.value && !may(needs))
    return (
      <>
        <Heading key={place} title={name} />
        <Permitted needs={needs} what="this page" />
      </>
    );
  if (place === 'agents' && id !== undefined) return <OpenedAgent key={id} agentId={id} />;
  if (place === 'webhooks')
    return id === undefined ? (
      <Lazy key="webhooks" load={pages.webhooks} props={{}} />
    ) : (
      <Lazy key={id} load={pages.webhook} props={{ webhookId: id }} />
    );
  const known = plain.find((one) => one === place);
  return known ? <Lazy key={known} load={pages[known]} props={{}} /> : <Agents key="agents" />;
}

/** Loads an agent beside the script of its pages. */
function OpenedAgent({ agentId }: { agentId: string }) {
  const loaded = useLoaded((signal) => ask<Agent>(agentPath(agentId), { signal }), []);
  return <Lazy load={pages.agent} props={{ loaded }} />;
}

export function App() {
  const [isLink, setLink] = useState(isLinkPage);
  const [isOidc, setOidc] = useState(isOidcPage);
  if (isOidc)
    return (
      <>
        <OidcPage onDone={() => setOidc(false)} />
        <Announcer />
      </>
    );
  if (isLink || !signedIn.value)
    return (
      <>
        {isLink ? <LinkPage onDone={() => setLink(false)} /> : <SignIn />}
        <Announcer />
      </>
    );
  if (mustEnrol.value)
    return (
      <main class="sign-in">
        <Lazy load={pages.enrolment} props={{}} />
        <Announcer />
      </main>
    );
  return <SignedIn />;
}

/** Reports failed sign-ins before this one until it is dismissed. */
function FailedSignIns() {
  const failed = failedSignIns.value;
  if (failed === 0) return null;
  return (
    <div class="notice" role="status">
      <p>
        {failed === 1 ? 'One sign-in' : `${failed} sign-ins`} to your account failed since you last signed in.
        If that was not you, change your password in your <a href={to('profile')}>profile</a>.
      </p>
      <button
        type="button"
        onClick={() => {
          failedSignIns.value = 0;
        }}
      >
        Dismiss
      </button>
    </div>
  );
}

function SignedIn() {
  useLoaded(async (signal) => {
    caller.value = await ask<Me>('/me', { signal });
  }, []);
  useEffect(
    () => () => {
      caller.value = null;
    },
    [],
  );
  const { data: beside } = useLoaded(surroundings, []);
  useEffect(() => {
    if (beside && !canStaySignedIn(beside)) keepInTab();
  }, [beside]);
  const [window, setWindow] = useState<'palette' | 'shortcuts' | null>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).matches('input, textarea, select');
      const isHelp = event.key === '?' && !isTyping;
      if (!isHelp && (event.key !== 'k' || !(event.ctrlKey || event.metaKey))) return;
      event.preventDefault();
      // A second window would cover an unsaved form in a dialog.
      if (!document.querySelector('dialog') || !hasUnsaved()) setWindow(isHelp ? 'shortcuts' : 'palette');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={toContent}>
        Skip to content
      </button>
      <Sidebar onSearch={() => setWindow('palette')} />
      <main id="main" tabIndex={-1}>
        <FailedSignIns />
        <Page />
      </main>
      {window === 'palette' && (
        <Lazy load={pages.palette} props={{ commands: commands(), onClose: () => setWindow(null) }} />
      )}
      {window === 'shortcuts' && <Lazy load={pages.shortcuts} props={{ onClose: () => setWindow(null) }} />}
      <ConfirmLeaving />
      <Announcer />
    </div>
  );
}

/** Routes are in the hash, so the skip link cannot use it and sets the focus itself. */
function toContent(): void {
  document.querySelector<HTMLElement>('#main')?.focus();
}
