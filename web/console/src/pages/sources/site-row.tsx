import { useState } from 'preact/hooks';
import { agentPath, ask } from '../../api/request.js';
import type { Job, Site } from '../../api/types.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { useAction, useLoaded } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Confirm, ConfirmButton, Dialog } from '../../parts/confirm.js';
import { When } from '../../parts/figures.js';
import { Menu } from '../../parts/menu.js';
import { Problem } from '../../parts/notice.js';
import { count, several } from '../../parts/numbers.js';
import { Status } from '../../parts/outcome.js';
import { may } from '../../parts/permitted.js';
import { Tick } from '../../parts/tick.js';
import { to } from '../../router.js';
import { sourceTexts } from './source-texts.js';

interface SiteRowProps {
  agentId: string;
  site: Site;
  /** Increases when a job ends. */
  ended: number;
  onChange: () => void;
  /** Called with the job that reads the site. */
  onSubmitted: (jobId: string) => void;
}

/** A whole site with its last job, and its actions if the caller may edit. */
export function SiteRow({ agentId, site, ended, onChange, onSubmitted }: SiteRowProps) {
  const { url, lastJobId, lastAt, nextAt } = site;
  const [open, setOpen] = useState<'rules' | 'deletion' | null>(null);
  const { failure, run } = useAction();
  const path = agentPath(agentId, 'sites', site.id);
  // Old jobs are deleted. Without its job, the row has no link.
  const { data: job } = useLoaded(
    async (signal) =>
      lastJobId === null ? null : ask<Job>(agentPath(agentId, 'jobs', lastJobId), { signal }),
    [lastJobId, ended],
  );
  const close = () => setOpen(null);
  const refresh = async (body: { confirm?: true }) => {
    const { jobId } = await ask<{ jobId: string }>(`${path}/refresh`, { method: 'POST', body });
    confirmDone('The site is being read again.');
    onSubmitted(jobId);
  };
  return (
    <li>
      <div>
        {url}
        <p class="muted small">
          {several(site.pages, 'page')} · read <When seconds={lastAt} /> ·{' '}
          {nextAt === null ? (
            'no next reading'
          ) : (
            <>
              next reading <When seconds={nextAt} />
            </>
          )}
          {job && (
            <>
              {' · '}
              <a href={to('agents', agentId, 'jobs', job.id)}>Job {job.id}</a> <Status status={job.status} />
            </>
          )}
        </p>
        <Problem failure={failure} />
        {job?.site?.suspect && job.site.deleted.count === 0 && (
          <div class="notice" role="status">
            <p>
              {count(job.site.gone)} of {several(site.pages, 'page')} had vanished at the last reading. None
              was deleted, because the site may have been down.
            </p>
            {may('edit') && (
              <ConfirmButton
                label="Delete them"
                class=""
                title="Delete vanished pages"
                verb="Read again and delete"
                work={() => refresh({ confirm: true })}
              >
                <p>
                  <strong>{url}</strong> is read again. All pages that have vanished then are deleted at once.
                </p>
              </ConfirmButton>
            )}
          </div>
        )}
      </div>
      {may('edit') && (
        <Menu
          label={`Actions for ${url}`}
          items={[
            { name: 'Refresh', run: () => void run(() => refresh({})) },
            { name: 'Rules', run: () => setOpen('rules') },
            { name: 'Delete', run: () => setOpen('deletion'), isDangerous: true },
          ]}
        />
      )}
      {open === 'rules' && (
        <Dialog title={`Rules of ${url}`} onClose={close}>
          <p>They apply to later readings. Pages that are stored stay.</p>
          <SchemaForm
            operation="updateSite"
            stored={site}
            texts={sourceTexts}
            verb="Save"
            send={async (body) => {
              await ask(path, { method: 'PATCH', body });
              confirmDone('The rules are saved. They apply to the next reading.');
              close();
              onChange();
            }}
            onCancel={close}
          />
        </Dialog>
      )}
      {open === 'deletion' && <DeleteSite path={path} site={site} onClose={close} onDone={onChange} />}
    </li>
  );
}

interface DeleteSiteProps {
  path: string;
  site: Site;
  onClose: () => void;
  onDone: () => void;
}

/** Asks whether to delete a site, and whether to delete its pages too. */
function DeleteSite({ path, site: { url, pages }, onClose, onDone }: DeleteSiteProps) {
  const [sources, setSources] = useState(false);
  return (
    <Confirm
      title="Delete site"
      verb="Delete"
      work={() => ask(path, { method: 'DELETE', query: sources ? { sources: 'true' } : {} })}
      done={sources ? 'The site and its pages were deleted.' : 'The site was deleted.'}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        <strong>{url}</strong> is no longer refreshed. Its pages stay as single pages, unless you delete them,
        too.
      </p>
      <Tick checked={sources} onChange={setSources}>
        Delete its pages, too ({several(pages, 'page')})
      </Tick>
    </Confirm>
  );
}
