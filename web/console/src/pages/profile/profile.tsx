import { askSession, readPerson } from '../../api/person.js';
import { ask } from '../../api/request.js';
import { surroundings } from '../../api/surroundings.js';
import type { Me } from '../../api/types.js';
import { useAction, useLoaded } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Heading } from '../../parts/heading.js';
import { Empty, Loading, Problem } from '../../parts/notice.js';
import { to } from '../../router.js';
import { currentIdentity } from '../../session.js';
import { Form, newPassword, password } from '../person-forms.js';
import { AboutMe } from './about-me.js';
import { Sessions } from './sessions.js';
import { TwoFactor } from './two-factor.js';

const read = async (signal: AbortSignal) => {
  const [me, person, around] = await Promise.all([
    ask<Me>('/me', { signal }),
    readPerson(signal),
    surroundings(),
  ]);
  return { me, person, around };
};

/** Offers an e-mail that proves the address. */
function ConfirmAddress() {
  const { busy, failure, run } = useAction();
  const send = () =>
    run(async () => {
      await askSession('/prove', { method: 'POST', body: {} });
      confirmDone('An e-mail with a link is on its way.');
    });
  return (
    <section class="panel">
      <h2>Your address is not confirmed</h2>
      <p class="hint">E-mails about conversations are sent to confirmed addresses only.</p>
      <Problem failure={failure} />
      <button type="button" disabled={busy} onClick={() => void send()}>
        Send me a link
      </button>
    </section>
  );
}

/** Of persons only: a key has none. */
export const Profile = () => (currentIdentity()?.kind === 'key' ? <KeyProfile /> : <PersonProfile />);

const KeyProfile = () => (
  <>
    <Heading title="Profile" />
    <Empty title="You are signed in with an API key.">
      <p>
        A key has no name, password or e-mails: these belong to people. Its rights are under{' '}
        <a href={to('keys')}>Keys</a>. To have a profile, sign out, then sign in with an e-mail address.
      </p>
    </Empty>
  </>
);

/** What the signed-in person decides alone. */
function PersonProfile() {
  const { data, failure, reload } = useLoaded(read, []);
  return (
    <>
      <Heading title="Profile" />
      <Problem failure={failure} retry={reload} />
      {!data && !failure && <Loading />}
      {data && (
        <>
          <p class="muted">{data.person.user.email}</p>
          {!data.person.user.proven && data.around.mailsLinks && <ConfirmAddress />}
          <section class="panel">
            <h2>About you</h2>
            <AboutMe me={data.me} />
          </section>
          {data.person.user.hasPassword && (
            <section class="panel">
              <h2>Password</h2>
              <ChangePassword onChanged={reload} />
            </section>
          )}
          <section class="panel">
            <h2>Two-factor authentication</h2>
            <TwoFactor user={data.person.user} onChanged={reload} />
          </section>
          <section class="panel">
            <h2>Sessions</h2>
            <Sessions sessions={data.person.data} onChanged={reload} />
          </section>
        </>
      )}
    </>
  );
}

const oldField = { ...password, name: 'oldPassword', label: 'Current password' };
const newField = { ...newPassword, name: 'newPassword', label: 'New password' };

const ChangePassword = ({ onChanged }: { onChanged: () => void }) => (
  <Form
    fields={[oldField, newField]}
    action="Change password"
    takesFocus={false}
    send={async (body) => {
      await askSession('/password', { method: 'POST', body });
      confirmDone('Your password was changed. All other sessions have ended.');
      onChanged();
    }}
  />
);
