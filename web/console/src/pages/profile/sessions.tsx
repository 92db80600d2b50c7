import { askSession, type OpenSession } from '../../api/person.js';
import { useAction } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { When } from '../../parts/figures.js';
import { Problem } from '../../parts/notice.js';

interface SessionsProps {
  sessions: readonly OpenSession[];
  onChanged: () => void;
}

/** Where the person is signed in. */
export function Sessions({ sessions, onChanged }: SessionsProps) {
  const { busy, failure, run } = useAction();
  const end = (path: string, done: string) =>
    run(async () => {
      await askSession(path, { method: 'DELETE' });
      confirmDone(done);
      onChanged();
    });
  return (
    <>
      <ul class="rows">
        {sessions.map(({ id, network, createdAt, lastSeenAt, current }) => (
          <li key={id}>
            <div>
              <strong>{network}</strong> {current && <span class="state">this one</span>}
              <p class="muted small">
                signed in <When seconds={createdAt} /> · last seen <When seconds={lastSeenAt} />
              </p>
            </div>
            {!current && (
              <button
                type="button"
                class="quiet"
                disabled={busy}
                aria-label={`End the session from ${network}`}
                onClick={() => void end(`/${id}`, 'The session has ended.')}
              >
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      <Problem failure={failure} />
      {sessions.length > 1 && (
        <div class="actions">
          <button
            type="button"
            disabled={busy}
            onClick={() => void end('/others', 'All other sessions have ended.')}
          >
            End all others
          </button>
        </div>
      )}
    </>
  );
}
