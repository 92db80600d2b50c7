import { When } from '../../../parts/figures.js';
import { Problem } from '../../../parts/notice.js';
import { may } from '../../../parts/permitted.js';
import { channelFailureTexts, reasonOf } from './channel-failures.js';
import { isInterrupted, type Profile, type ProfileState } from './use-profile.js';

const confirmedTexts = {
  idle: 'The platform confirmed it',
  running: 'The platform confirmed an earlier publication',
  failed: 'People still see what the platform confirmed',
};

/** The requested items, the items that people see, and whether the platform has confirmed them. */
export function SyncState({ profile, busy, failure, publish }: ProfileState<Profile>) {
  if (!profile) return null;
  const { desired, live, sync } = profile;
  const isBeingChecked = isInterrupted(sync);
  if (busy || (sync.status === 'running' && !isBeingChecked))
    return (
      <p class="notice" role="status">
        Being published. The platform confirms it within seconds.
      </p>
    );
  // Other failures are shown elsewhere, for example at a field.
  const isOther = failure !== null && failure.code !== 'SOCIAL_SYNC_FAILED';
  const reason = sync.error
    ? reasonOf(sync.error)
    : failure?.channelCode && channelFailureTexts[failure.channelCode];
  const again = desired && may('edit') && (
    <button type="button" onClick={() => void publish(desired.items)}>
      Publish again
    </button>
  );
  return (
    <>
      {isOther && <Problem failure={failure} />}
      {isBeingChecked && (
        <div class="notice">
          <p role="status">
            The last publication was interrupted. It is still being checked whether the platform has it.
          </p>
          {again}
        </div>
      )}
      {!isOther && !isBeingChecked && reason && (
        <div class="notice bad" role="alert">
          <p>
            <strong>The last publication failed.</strong> {reason}
          </p>
          {again}
        </div>
      )}
      <p class="muted small">
        {live ? (
          <>
            {confirmedTexts[sync.status]} <When seconds={live.confirmedAt} />.
          </>
        ) : (
          !isBeingChecked && 'Nothing was published yet.'
        )}
      </p>
    </>
  );
}
