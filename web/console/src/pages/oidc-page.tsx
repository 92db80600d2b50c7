import { useEffect, useState } from 'preact/hooks';
import { askSession, type Entered, enter } from '../api/person.js';
import { surroundings } from '../api/surroundings.js';
import { useAction, useLoaded } from '../loading.js';
import { Problem } from '../parts/notice.js';
import { replace } from '../router.js';
import { begin, CodeForm, Form, password } from './person-forms.js';

/* Signing in through a provider of OpenID Connect: the button, and the page to which the provider sends people back. */

/** Leads to the provider, if there is one. */
export function ProviderButton() {
  const { data } = useLoaded(surroundings, []);
  const { busy, failure, run } = useAction();
  if (!data?.signIn.oidc) return null;
  const start = () =>
    run(async () => {
      const { url } = await askSession<{ url: string }>('/oidc-start', { method: 'POST', body: {} });
      location.assign(url);
    });
  return (
    <>
      <Problem failure={failure} />
      <div class="actions">
        <button type="button" class="primary" disabled={busy} onClick={() => void start()}>
          {data.signIn.oidc.label}
        </button>
      </div>
    </>
  );
}

export const isOidcPage = (): boolean => location.pathname === '/console/oidc';

/** The parameters of the provider. They leave the address, so that they do not stay in the history. */
function takeParameters(): Record<string, string> {
  const sent = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  return Object.fromEntries(
    ['state', 'code', 'iss', 'error'].flatMap((name) => {
      const value = sent.get(name);
      return value ? [[name, value]] : [];
    }),
  );
}

/** The page to which the provider sends people back. It sends the request itself, because only then the cookies come along. */
export function OidcPage({ onDone }: { onDone: () => void }) {
  const [parameters] = useState(takeParameters);
  const [needs, setNeeds] = useState<'code' | 'password' | null>(null);
  const { failure, run } = useAction();
  const leave = () => {
    history.replaceState(null, '', '/console');
    replace();
    onDone();
  };
  const proceed = (entered: Entered) => {
    if ('needs' in entered) return setNeeds(entered.needs);
    begin(entered);
    leave();
  };
  useEffect(() => {
    void run(async () => proceed(await enter('/oidc', parameters)));
  }, []);
  return (
    <main class="sign-in">
      <h1>Sign in</h1>
      {needs === null && !failure && <p role="status">Signing in…</p>}
      {needs === 'code' && <CodeForm onDone={proceed} />}
      {needs === 'password' && (
        <>
          <p class="muted">
            There is an account with this e-mail address. Enter its password once to connect it.
          </p>
          <Form
            fields={[password]}
            action="Connect"
            send={async (values) => proceed(await enter('/oidc-link', values))}
          />
        </>
      )}
      <Problem failure={failure} />
      {(failure || needs) && (
        <p>
          <button type="button" class="quiet" onClick={leave}>
            Start again
          </button>
        </p>
      )}
    </main>
  );
}
