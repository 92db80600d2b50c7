import { When } from '../../../parts/figures.js';
import { Problem } from '../../../parts/notice.js';
import { channelFailureTexts, reasonOf } from './channel-failures.js';
import type { Profile, ProfileState } from './use-profile.js';

/** What was asked for last, what people see, and whether the platform has confirmed it. */
export function SyncState({ profile, busy, failure, publish }: ProfileState<Profile>) {
  if (!profile) return null;
  const { desired, live, sync } = profile;
  if (busy || sync.status === 'running')
    return (
      <p class="notice" role="status">
        Being published. The platform confirms it within seconds.
      </p>
    );
  // Others have their own messages, for example that of a field.
  const isOther = failure !== null && failure.code !== 'SOCIAL_SYNC_FAILED';
  const reason = sync.error
    ? reasonOf(sync.error)
    : failure?.channelCode && channelFailureTexts[failure.channelCode];
  return (
    <>
      {isOther && <Problem failure={failure} />}
      {!isOther && reason && (
        <div class="notice bad" role="alert">
          <p>
            <strong>The last publication failed.</strong> {reason}
          </p>
          {desired && (
            <button type="button" onClick={() => void publish(desired.items)}>
              Publish again
            </button>
          )}
        </div>
      )}
      <p class="muted small">
        {live ? (
          <>
            {sync.status === 'failed'
              ? 'People still see what the platform confirmed '
              : 'The platform confirmed it '}
            <When seconds={live.confirmedAt} />.
          </>
        ) : (
          'Nothing was published yet.'
        )}
      </p>
    </>
  );
}
