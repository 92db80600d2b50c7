import { useEffect, useState } from 'preact/hooks';
import { agentPath, ask } from '../../../api/request.js';
import type { ListedVersion, Version } from '../../../api/types.js';
import { useList, useLoaded } from '../../../loading.js';
import { Confirm } from '../../../parts/confirm.js';
import { When } from '../../../parts/figures.js';
import { Menu } from '../../../parts/menu.js';
import { may, Permitted } from '../../../parts/permitted.js';
import { Rows } from '../../../parts/rows.js';
import { Differences } from './differences.js';
import { reportChange, settingsChanged } from './draft.js';

const origins: Record<ListedVersion['origin'], string> = {
  create: 'Created',
  patch: 'Changed',
  publish: 'Draft published',
  restore: 'Restored',
  import: 'Imported',
  baseline: 'Before there was a history',
};

/** The settings of before, newest first, with what each version changed. */
export function History({ agentId }: { agentId: string }) {
  const path = agentPath(agentId, 'versions');
  const list = useList<ListedVersion>(path);
  const [asked, setAsked] = useState<{ to: 'restore' | 'delete'; version: ListedVersion } | null>(null);
  useEffect(() => {
    if (settingsChanged.value > 0) list.reload();
  }, [settingsChanged.value]);
  const newest = list.items?.[0]?.number;
  const close = () => setAsked(null);
  return (
    <section>
      <p class="muted">
        Every change of the settings is a version. Restoring one makes a new version with its settings.
      </p>
      <Permitted needs="edit" what="restoring versions" />
      <Rows list={list}>
        {(version) => (
          <li key={version.number}>
            <div>
              <strong>Version {version.number}</strong>{' '}
              {version.number === newest && <span class="state ready">Live</span>}
              <p class="muted small">
                {origins[version.origin]}
                {version.restored !== null && ` from version ${version.restored}`} · {version.actor.label} ·{' '}
                <When seconds={version.createdAt} />
              </p>
              {version.changes.length > 0 && <Differences changes={version.changes} />}
            </div>
            {may('edit') && version.number !== newest && (
              <div class="row-actions">
                <button
                  type="button"
                  aria-label={`Restore version ${version.number}`}
                  onClick={() => setAsked({ to: 'restore', version })}
                >
                  Restore
                </button>
                <Menu
                  label={`More for version ${version.number}`}
                  items={[
                    {
                      name: 'Delete from the history',
                      run: () => setAsked({ to: 'delete', version }),
                      isDangerous: true,
                    },
                  ]}
                />
              </div>
            )}
          </li>
        )}
      </Rows>
      {asked?.to === 'restore' && (
        <Confirm
          title={`Restore version ${asked.version.number}?`}
          verb="Restore version"
          isSafe
          work={() => ask(`${path}/${asked.version.number}/restore`, { method: 'POST' })}
          done={`Version ${asked.version.number} is live again.`}
          onClose={close}
          onDone={reportChange}
        >
          <p>All settings become those of this version. You can restore today’s settings later.</p>
          <Access agentId={agentId} number={asked.version.number} />
        </Confirm>
      )}
      {asked?.to === 'delete' && (
        <Confirm
          title={`Delete version ${asked.version.number}?`}
          verb="Delete version"
          work={() => ask(`${path}/${asked.version.number}`, { method: 'DELETE' })}
          done="The version was deleted."
          onClose={close}
          onDone={reportChange}
        >
          <p>For example, because it holds a password. Its values also disappear from the next version.</p>
        </Confirm>
      )}
    </section>
  );
}

interface Access {
  isPrivate?: boolean;
  allowedDomains?: { enabled?: boolean; domains?: string[] };
}

/** Warns before a version that lets more people reach the agent than today. */
function Access({ agentId, number }: { agentId: string; number: number }) {
  const { data } = useLoaded(
    async (signal) => {
      const [version, security, share] = await Promise.all([
        ask<Version>(agentPath(agentId, 'versions', String(number)), { signal }),
        ask<Access>(agentPath(agentId, 'settings', 'security'), { signal }),
        ask<{ enabled?: boolean }>(agentPath(agentId, 'settings', 'share'), { signal }),
      ]);
      const then = (version.settings.security ?? {}) as Access;
      const shared = version.apart.share as { enabled?: boolean } | undefined;
      const domains = then.allowedDomains ?? {};
      const now = security.allowedDomains ?? {};
      return [
        security.isPrivate && !then.isPrivate && 'The agent is private now, and would be open.',
        !share.enabled && shared?.enabled && 'Everybody with the share link could ask it.',
        now.enabled && !domains.enabled && 'Every site could embed it.',
        now.enabled &&
          domains.enabled &&
          domains.domains?.some((domain) => !now.domains?.includes(domain)) &&
          'More sites could embed it.',
      ].filter((sentence) => typeof sentence === 'string');
    },
    [number],
  );
  if (!data || data.length === 0) return null;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>This widens access.</strong> {data.join(' ')}
      </p>
    </div>
  );
}
