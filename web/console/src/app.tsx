import { useEffect, useState } from 'preact/hooks';
import type { PermissionName } from '../../../core/schemas/permissions.js';
import { ask } from './api/request.js';
import { canStaySignedIn, surroundings } from './api/surroundings.js';
import type { Me } from './api/types.js';
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
import { go, path, to } from './router.js';
import { currentIdentity, failedSignIns, keepInTab, mustEnrol, signedIn, signOut } from './session.js';
import { hasUnsaved, leave } from './unsaved.js';

/** Pages in the shell. */
const places: { name: string; place: string; needs?: PermissionName }[] = [
  { name: 'Agents', place: 'agents' },
  { name: 'Models', place: 'models' },
  { name: 'Members', place: 'members', needs: 'members.view' },
  { name: 'Keys', place: 'keys', needs: 'keys.manage' },
  { name: 'Webhooks', place: 'webhooks', needs: 'webhooks.manage' },
  { name: 'Audit', place: 'audit', needs: 'audit.view' },
  { name: 'Workspace', place: 'workspace' },
];

/** Actions that the palette offers on every page. */
const commandsOf = (offered: typeof places) => [
  ...offered.map(({ name, place }) => ({ name, run: () => go(place) })),
  { name: 'Sign out', run: () => leave(signOut) },
];

/** Pages loaded on demand. */
const pages = {
  agent: () => import('./pages/agent/agent.js').then(({ AgentPage }) => AgentPage),
  models: () => import('./pages/models/models.js').then(({ Models }) => Models),
  members: () => import('./pages/members/members.js').then(({ Members }) => Members),
  audit: () => import('./pages/audit/audit.js').then(({ AuditPage }) => AuditPage),
  keys: () => import('./pages/keys/keys.js').then(({ Keys }) => Keys),
  workspace: () => import('./pages/workspace.js').then(({ WorkspacePage }) => WorkspacePage),
  webhooks: () => import('./pages/webhooks/webhooks.js').then(({ Webhooks }) => Webhooks),
  profile: () => import('./pages/profile/profile.js').then(({ Profile }) => Profile),
  enrolment: () => import('./pages/profile/enrolment.js').then(({ Enrolment }) => Enrolment),
  palette: () => import('./parts/palette.js').then(({ Palette }) => Palette),
  webhook: () => import('./pages/webhooks/webhook.js').then(({ WebhookPage }) => WebhookPage),
};

function Page() {
  const [place = 'agents', id] = path.value;
  const { name = '', needs } = places.find((one) => one.place === place) ?? {};
  if (needs && caller.value && !may(needs))
    return (
      <>
        <Heading key={place} title={name} />
        <Permitted needs={needs} what="this page" />
      </>
    );
  if (place === 'agents' && id !== undefined)
    return <Lazy key={id} load={pages.agent} props={{ agentId: id }} />;
  if (place === 'webhooks')
    return id === undefined ? (
      <Lazy key="webhooks" load={pages.webhooks} props={{}} />
    ) : (
      <Lazy key={id} load={pages.webhook} props={{ webhookId: id }} />
    );
  if (place === 'models') return <Lazy key="models" load={pages.models} props={{}} />;
  if (place === 'members') return <Lazy key="members" load={pages.members} props={{}} />;
  if (place === 'audit') return <Lazy key="audit" load={pages.audit} props={{}} />;
  if (place === 'keys') return <Lazy key="keys" load={pages.keys} props={{}} />;
  if (place === 'workspace') return <Lazy key="workspace" load={pages.workspace} props={{}} />;
  if (place === 'profile') return <Lazy key="profile" load={pages.profile} props={{}} />;
  return <Agents key="agents" />;
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
  const [here = 'agents'] = path.value;
  const { data: me } = useLoaded((signal) => ask<Me>('/me', { signal }), []);
  useEffect(() => {
    caller.value = me;
    return () => {
      caller.value = null;
    };
  }, [me]);
  const offered = places.filter(({ needs }) => needs === undefined || me?.permissions.includes(needs));
  const { data: beside } = useLoaded(surroundings, []);
  useEffect(() => {
    if (beside && !canStaySignedIn(beside)) keepInTab();
  }, [beside]);
  const [isSearching, setSearching] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // The palette would cover an unsaved form in a dialog.
      if (!document.querySelector('dialog') || !hasUnsaved()) setSearching(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" class="skip" onClick={toContent}>
        Skip to content
      </button>
      <header class="top">
        <a class="brand" href={to()}>
          <img src="/console/icon.svg" alt="" width="22" height="22" /> Cadre
        </a>
        <nav aria-label="Console">
          {offered.map(({ name, place }) => (
            <a key={place} href={to(place)} aria-current={here === place ? 'page' : undefined}>
              {name}
            </a>
          ))}
          {beside?.hasReference && <a href="/docs">API</a>}
        </nav>
        <button type="button" class="finder" onClick={() => setSearching(true)}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
        {currentIdentity()?.kind === 'session' && (
          <a class="quiet" href={to('profile')} aria-current={here === 'profile' ? 'page' : undefined}>
            Profile
          </a>
        )}
        <button type="button" class="quiet" onClick={() => leave(signOut)}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <FailedSignIns />
        <Page />
      </main>
      {isSearching && (
        <Lazy
          load={pages.palette}
          props={{ commands: commandsOf(offered), onClose: () => setSearching(false) }}
        />
      )}
      <ConfirmLeaving />
      <Announcer />
    </>
  );
}

/** Routes are in the hash, so the skip link cannot use it and sets the focus itself. */
function toContent(): void {
  document.querySelector<HTMLElement>('#main')?.focus();
}
