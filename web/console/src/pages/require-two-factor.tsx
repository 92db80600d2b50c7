import { readPerson } from '../api/person.js';
import { ask } from '../api/request.js';
import type { Me, Workspace } from '../api/types.js';
import { useAction, useLoaded } from '../loading.js';
import { confirmDone } from '../parts/announce.js';
import { Problem } from '../parts/notice.js';
import { currentIdentity } from '../session.js';

/** Returns why the caller cannot change the rule; null if it can. */
async function readObstacle(signal: AbortSignal): Promise<string | null> {
  if (currentIdentity()?.kind !== 'session') return 'An API key cannot change this. Sign in as an admin.';
  const [{ permissions }, { user }] = await Promise.all([ask<Me>('/me', { signal }), readPerson(signal)]);
  if (!permissions.includes('workspace.change')) return 'Only admins who see all agents can change this.';
  return user.twoFactor ? null : 'Set up two-factor authentication in your own profile first.';
}

interface RequireTwoFactorProps {
  workspace: Workspace;
  onChanged: (workspace: Workspace) => void;
}

/** Switch that leaves members without two-factor authentication only its set-up. */
export function RequireTwoFactor({ workspace: { requireTwoFactor }, onChanged }: RequireTwoFactorProps) {
  const loaded = useLoaded(async (signal) => ({ obstacle: await readObstacle(signal) }), []);
  const { busy, failure, run } = useAction();
  const obstacle = loaded.data?.obstacle ?? null;
  const change = (isOn: boolean) =>
    run(async () => {
      onChanged(await ask<Workspace>('/workspace', { method: 'PATCH', body: { requireTwoFactor: isOn } }));
      confirmDone(
        isOn
          ? 'Every member now needs two-factor authentication.'
          : 'Two-factor authentication is now optional.',
      );
    });
  return (
    <div class="field switch">
      <label for="require-two-factor">Require two-factor authentication</label>
      <input
        id="require-two-factor"
        type="checkbox"
        role="switch"
        aria-checked={requireTwoFactor}
        aria-describedby="require-two-factor-about"
        checked={requireTwoFactor}
        disabled={busy || loaded.data === null || obstacle !== null}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      <p class="hint" id="require-two-factor-about">
        Members without it can only set it up. API keys are not affected. {obstacle}
      </p>
      <Problem failure={loaded.failure ?? failure} />
    </div>
  );
}
