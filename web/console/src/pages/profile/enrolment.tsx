import { readPerson } from '../../api/person.js';
import { useLoaded } from '../../loading.js';
import { Loading, Problem } from '../../parts/notice.js';
import { mustEnrol, signOut } from '../../session.js';
import { TwoFactor } from './two-factor.js';

/** The only page of a person whose workspace requires two-factor authentication, until it is set up. */
export function Enrolment() {
  const { data, failure, reload } = useLoaded(readPerson, []);
  return (
    <>
      <h1>Set up two-factor authentication</h1>
      <p class="muted">This workspace requires it of every member.</p>
      <Problem failure={failure} retry={reload} />
      {!data && !failure && <Loading />}
      {data && (
        <TwoFactor
          user={data.user}
          onChanged={() => {
            mustEnrol.value = false;
          }}
        />
      )}
      <p>
        <button type="button" class="quiet" onClick={() => signOut()}>
          Sign out
        </button>
      </p>
    </>
  );
}
