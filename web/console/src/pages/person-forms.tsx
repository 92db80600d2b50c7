import { useState } from 'preact/hooks';
import { SelfExplained } from '../api/failure.js';
import { askSession, type Entered, enter, type Person } from '../api/person.js';
import { surroundings } from '../api/surroundings.js';
import { useAction, useLoaded } from '../loading.js';
import { Problem } from '../parts/notice.js';
import { Tick } from '../parts/tick.js';
import { replace } from '../router.js';
import { failedSignIns, signInAsPerson } from '../session.js';

/* Forms with which people sign in, and pages of one-time links. */

export interface FieldOptions {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autocomplete: 'username' | 'name' | 'current-password' | 'new-password' | 'one-time-code';
  hint?: string;
}

const email: FieldOptions = { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' };
const name: FieldOptions = { name: 'name', label: 'Name', autocomplete: 'name' };
export const password: FieldOptions = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
};
export const newPassword: FieldOptions = {
  ...password,
  autocomplete: 'new-password',
  hint: 'At least 10 characters. A sentence is easy to remember.',
};

const code: FieldOptions = {
  name: 'code',
  label: 'Code',
  autocomplete: 'one-time-code',
  hint: 'The six digits in your authenticator app, or one of your recovery codes.',
};

/** Continues in the first workspace of a person. */
export function begin({ workspaces: [first], failedSignIns: failed }: Person): void {
  if (!first) throw new SelfExplained('You are no member of a workspace. Ask an admin for an invitation.');
  failedSignIns.value = failed;
  signInAsPerson(first.id);
}

interface FormOptions {
  fields: readonly FieldOptions[];
  action: string;
  send: (values: Record<string, string>) => Promise<void>;
  /** Whether the first field gets the focus. Defaults to true. */
  takesFocus?: boolean;
  children?: preact.ComponentChildren;
}

/** A form that is sent as a whole, so that password managers recognise it. */
export function Form({ fields, action, send, takesFocus = true, children }: FormOptions) {
  const { busy, failure, run } = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void run(() =>
      send(Object.fromEntries(fields.map((field) => [field.name, String(form.get(field.name))]))),
    );
  };
  return (
    <form onSubmit={submit}>
      {fields.map(({ name, label, type = 'text', autocomplete, hint }, n) => (
        <div class="field" key={name}>
          <label for={name}>{label}</label>
          <input
            id={name}
            name={name}
            // One element of any of these types; the declared types know one type each.
            type={type as 'text'}
            autocomplete={autocomplete}
            autofocus={takesFocus && n === 0}
            required
            aria-describedby={hint && `${name}-hint`}
          />
          {hint && (
            <p class="hint" id={`${name}-hint`}>
              {hint}
            </p>
          )}
        </div>
      ))}
      {children}
      <Problem failure={failure} />
      <div class="actions">
        <button type="submit" class="primary" disabled={busy}>
          {action}
        </button>
      </div>
    </form>
  );
}

/** Asks for the second factor. */
export function CodeForm({ onDone }: { onDone: (person: Entered) => Promise<void> | void }) {
  return (
    <Form fields={[code]} action="Continue" send={async (values) => onDone(await enter('/code', values))} />
  );
}

/** Asks for an e-mail with a link for a new password. */
function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const [isSent, setSent] = useState(false);
  return (
    <>
      {isSent ? (
        <p class="notice" role="status">
          If this address has an account, an e-mail with a link is on its way. The link works for an hour.
        </p>
      ) : (
        <Form
          fields={[email]}
          action="Send a link"
          send={async (body) => {
            await askSession('/reset-request', { method: 'POST', body });
            setSent(true);
          }}
        />
      )}
      <p>
        <button type="button" class="quiet" onClick={onBack}>
          Back to the sign-in
        </button>
      </p>
    </>
  );
}

/** Signs a person in with a password. */
export function PersonForm({ onDone }: { onDone?: () => void }) {
  const [isShared, setShared] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const [hasForgotten, setForgotten] = useState(false);
  const { data: around } = useLoaded(surroundings, []);
  const proceed = (entered: Entered) => {
    if ('needs' in entered) return setNeedsCode(true);
    begin(entered);
    onDone?.();
  };
  if (needsCode)
    return (
      <>
        <CodeForm onDone={proceed} />
        <p>
          <button type="button" class="quiet" onClick={() => setNeedsCode(false)}>
            Start again
          </button>
        </p>
      </>
    );
  if (hasForgotten) return <ForgottenPassword onBack={() => setForgotten(false)} />;
  return (
    <Form
      fields={[email, password]}
      action="Sign in"
      send={async (values) => {
        proceed(await enter('/sign-in', { ...values, shared: isShared }));
      }}
    >
      <div class="field">
        <Tick checked={isShared} onChange={setShared}>
          This is a shared computer: sign me out when the browser is closed
        </Tick>
      </div>
      {around && !around.signIn.password && <p class="hint">Only owners can have a password here.</p>}
      {around?.mailsLinks && around.signIn.password && (
        <button type="button" class="quiet" onClick={() => setForgotten(true)}>
          Forgot your password?
        </button>
      )}
    </Form>
  );
}

/** Pages of one-time links by the last part of their address. */
const links: Record<string, { title: string; about: string; action: string; fields: FieldOptions[] }> = {
  setup: {
    title: 'Set up your account',
    about: 'You become the owner of this workspace, and can invite others.',
    action: 'Set up',
    fields: [name, email, newPassword],
  },
  invitation: {
    title: 'Accept the invitation',
    about: 'Choose how you want to be called, and a password.',
    action: 'Accept',
    fields: [name, newPassword],
  },
  prove: {
    title: 'Confirm your address',
    about: 'You are signed in here, and got the link by e-mail.',
    action: 'Confirm',
    fields: [],
  },
  reset: {
    title: 'Choose a new password',
    about: 'All your other sessions will end.',
    action: 'Save',
    fields: [newPassword],
  },
};

const linkName = (): string => location.pathname.split('/').at(-1) ?? '';

export const isLinkPage = (): boolean => linkName() in links;

/** The token of the link. It leaves the address, so that it does not stay in the history. */
function takeToken(): string {
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  return token;
}

/** The page of a one-time link: setting up, accepting an invitation, or choosing a new password. */
export function LinkPage({ onDone }: { onDone: () => void }) {
  const [path] = useState(linkName);
  const [token] = useState(takeToken);
  const [mustSignIn, setMustSignIn] = useState(false);
  /** What follows the code: an end of the page, or the link itself. */
  const [codeFor, setCodeFor] = useState<'page' | 'link' | null>(null);
  const page = links[path];
  if (!page) return null;
  const proceed = (entered: Entered) => {
    history.replaceState(null, '', '/console');
    replace();
    if ('needs' in entered) return setCodeFor('page');
    begin(entered);
    onDone();
  };
  const use = async (values: Record<string, string>) => {
    const entered = await enter(`/${path}`, { token, ...values }).catch((thrown: unknown) => {
      // The address has an account: sign in with it, then accept.
      if (path === 'invitation' && (thrown as { code?: string }).code === 'AUTH_MISSING_API_KEY')
        setMustSignIn(true);
      throw thrown;
    });
    proceed(entered);
  };
  if (codeFor)
    return (
      <main class="sign-in">
        <h1>{page.title}</h1>
        <CodeForm onDone={(entered) => (codeFor === 'page' ? proceed(entered) : use({}))} />
      </main>
    );
  return (
    <main class="sign-in">
      <h1>{page.title}</h1>
      {mustSignIn ? (
        <>
          <p class="muted">This address has an account. Sign in with it to accept the invitation.</p>
          <Form
            fields={[email, password]}
            action="Sign in and accept"
            send={async (values) => {
              if ('needs' in (await enter('/sign-in', values))) return setCodeFor('link');
              await use({});
            }}
          />
        </>
      ) : (
        <>
          <p class="muted">{page.about}</p>
          <Form fields={page.fields} action={page.action} send={use} />
        </>
      )}
    </main>
  );
}
