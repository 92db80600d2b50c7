import { useState } from 'preact/hooks';
import { asFailure, SelfExplained } from '../api/failure.js';
import { ask } from '../api/request.js';
import { canStaySignedIn, surroundings } from '../api/surroundings.js';
import { useAction, useLoaded } from '../loading.js';
import { Problem } from '../parts/notice.js';
import { Tick } from '../parts/tick.js';
import { signedOutBecause, signIn } from '../session.js';
import { ProviderButton } from './oidc-page.js';
import { PersonForm } from './person-forms.js';

/** Throws a failure with advice for a valid key with insufficient rights; rethrows other errors. */
function explain(thrown: unknown): never {
  if (asFailure(thrown).code !== 'AUTH_INSUFFICIENT_PERMISSIONS') throw thrown;
  throw new SelfExplained(
    'This key is for chat only, so it cannot open the console. Use a key with the right “Read” or “Full”. A user with a full key can create one under Keys, or the operator with cadre key create.',
  );
}

/** Asks for an API key, or for the e-mail address and the password of a person. */
export function SignIn() {
  const [isPerson, setPerson] = useState(false);
  return (
    <main class="sign-in">
      <h1 class="brand">
        <img src="/console/icon.svg" alt="" width="34" height="34" /> Cadre
      </h1>
      <p class="muted">Agents, what they know, and what they are asked.</p>
      {signedOutBecause.value && (
        <p class="notice" role="status">
          {signedOutBecause.value}
        </p>
      )}
      <ProviderButton />
      {isPerson ? <PersonForm /> : <KeyForm />}
      <p>
        <button type="button" class="quiet" onClick={() => setPerson(!isPerson)}>
          {isPerson ? 'Use an API key instead' : 'Use an e-mail address instead'}
        </button>
      </p>
    </main>
  );
}

/** Tests an API key before storing it. */
function KeyForm() {
  const [typed, setTyped] = useState('');
  const [stays, setStays] = useState(false);
  const { busy, failure, run } = useAction();
  const { data } = useLoaded(surroundings, []);
  const isOffered = data !== null && canStaySignedIn(data);
  const key = typed.trim();
  const submit = (event: Event) => {
    event.preventDefault();
    if (key === '') return;
    void run(async () => {
      // A header cannot contain such a key, and `fetch` would fail as if the service were unreachable.
      if (!/^[\x21-\x7e]+$/.test(key))
        throw new SelfExplained('This is not an API key: it contains an invalid character.');
      await ask('/workspace', { as: { kind: 'key', key } }).catch(explain);
      signIn(key, { stays: isOffered && stays });
    });
  };
  return (
    <form onSubmit={submit}>
      <div class="field">
        <label for="key">API key</label>
        <input
          id="key"
          autofocus
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          value={typed}
          aria-describedby="key-hint"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <p class="hint" id="key-hint">
          The key that the first start printed, or one from <code>cadre key create</code>.
          {!stays && ' It stays in this tab and is gone when you close it.'}
        </p>
      </div>
      {isOffered && (
        <div class="field">
          <Tick checked={stays} onChange={setStays}>
            Stay signed in on this device
          </Tick>
        </div>
      )}
      <Problem failure={failure} />
      <div class="actions">
        <button type="submit" class="primary" disabled={busy || key === ''}>
          Sign in
        </button>
      </div>
    </form>
  );
}
