import { useState } from 'preact/hooks';
import { type Role, roles } from '../../../../../core/schemas/permissions.js';
import { ask } from '../../api/request.js';
import type { Member } from '../../api/types.js';
import { useAction, useList } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { ConfirmButton, Dialog } from '../../parts/confirm.js';
import { CopyButton } from '../../parts/copy-button.js';
import { When } from '../../parts/figures.js';
import { FormEnd } from '../../parts/form-end.js';
import { Heading } from '../../parts/heading.js';
import { Problem } from '../../parts/notice.js';
import { may, Permitted } from '../../parts/permitted.js';
import { Rows } from '../../parts/rows.js';
import { Select } from '../../parts/select.js';

interface Changed {
  /** Keys that the member has created. */
  keys: { id: string; name: string }[];
}

const roleTexts: Record<Role, string> = {
  viewer: 'Viewer: reads and asks',
  support: 'Support: also answers conversations and questions',
  editor: 'Editor: also agents, sources and settings',
  admin: 'Admin: also members, keys, webhooks and channels',
  owner: 'Owner: also owners',
};

const nameOf = ({ name, email }: Member): string => name ?? email ?? 'Invited person';

/** Links are paths while the service has no public URL. */
const absolute = (link: string): string => new URL(link, location.origin).href;

/** The people of the workspace. */
export function Members() {
  const list = useList<Member>('/members');
  const [open, setOpen] = useState<'new' | { link: string } | null>(null);
  const close = () => setOpen(null);
  const invite = async (body: object) => {
    const { inviteUrl } = await ask<{ inviteUrl: string }>('/members', { method: 'POST', body });
    list.reload();
    setOpen({ link: absolute(inviteUrl) });
  };
  const inviteAgain = async ({ id }: Member) => {
    const { inviteUrl } = await ask<{ inviteUrl: string }>(`/members/${id}/invite`, { method: 'POST' });
    setOpen({ link: absolute(inviteUrl) });
  };
  return (
    <>
      <Heading title="Members">
        <Permitted needs="members.manage" what="changing members">
          <button type="button" class="primary" onClick={() => setOpen('new')}>
            Invite a person
          </button>
        </Permitted>
      </Heading>
      <p class="muted">Members sign in with their e-mail address. Each has one role in this workspace.</p>
      <Rows list={list}>
        {(member) => (
          <MemberRow
            key={member.id}
            member={member}
            onChanged={list.reload}
            onInvite={() => inviteAgain(member)}
          />
        )}
      </Rows>
      {open === 'new' && (
        <Dialog title="Invite a person" onClose={close}>
          <Invitation send={invite} onCancel={close} />
        </Dialog>
      )}
      {open !== null && open !== 'new' && (
        <Dialog title="Pass this link on" onClose={close}>
          <p>It works once, for 7 days, and is shown only now.</p>
          <div class="field">
            <label for="link">Link</label>
            <div class="with-button">
              <input id="link" readOnly value={open.link} onFocus={(event) => event.currentTarget.select()} />
              <CopyButton text={open.link} what="link" />
            </div>
          </div>
          <div class="actions">
            <button type="button" class="primary" onClick={close}>
              Done
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface MemberRowProps {
  member: Member;
  onChanged: () => void;
  onInvite: () => Promise<void>;
}

function MemberRow({ member, onChanged, onInvite }: MemberRowProps) {
  const { busy, failure, run } = useAction();
  const name = nameOf(member);
  const changeRole = (role: string) =>
    run(async () => {
      await ask(`/members/${member.id}`, { method: 'PATCH', body: { role } });
      confirmDone(`${name} has another role now.`);
      onChanged();
    });
  return (
    <li>
      <div>
        <strong>{name}</strong> {member.name !== null && <span class="muted">{member.email}</span>}{' '}
        {member.status !== 'active' && <span class="state">{member.status}</span>}
        <p class="muted small">
          {member.agentIds === null ? 'all agents' : `${member.agentIds.length} agents`} · last seen{' '}
          <When seconds={member.lastSeenAt} />
        </p>
        <Problem failure={failure} />
      </div>
      <div class="row-actions">
        <Select
          aria-label={`Role of ${name}`}
          value={member.role}
          disabled={busy || !may('members.manage')}
          choices={roles.map((role) => [role, role] as const)}
          onChange={(role) => void changeRole(role)}
        />
        {may('members.manage') && member.status === 'invited' && (
          <button type="button" class="quiet" disabled={busy} onClick={() => void run(onInvite)}>
            New link
          </button>
        )}
        {may('members.manage') && (
          <ConfirmButton
            label="Remove"
            name={`Remove ${name}`}
            class="quiet"
            title={`Remove ${name}?`}
            verb="Remove"
            work={() => ask<Changed>(`/members/${member.id}`, { method: 'DELETE' })}
            onDone={({ keys }) => {
              confirmDone(
                keys.length === 0
                  ? `${name} was removed.`
                  : `${name} was removed. API keys that stay valid: ${keys.map((key) => key.name).join(', ')}.`,
              );
              onChanged();
            }}
          >
            <p>The access to this workspace ends within seconds. API keys of this person stay valid.</p>
          </ConfirmButton>
        )}
      </div>
    </li>
  );
}

function Invitation({ send, onCancel }: { send: (body: object) => Promise<void>; onCancel: () => void }) {
  const { busy, failure, run } = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void run(() => send({ email: form.get('email'), role: form.get('role') }));
  };
  return (
    <form onSubmit={submit}>
      <div class="field">
        <label for="member-email">E-mail</label>
        <input id="member-email" name="email" type="email" required />
      </div>
      <div class="field">
        <label for="member-role">Role</label>
        <Select id="member-role" name="role" choices={Object.entries(roleTexts)} />
      </div>
      <FormEnd failure={failure} verb="Invite" isDisabled={busy} onCancel={onCancel} />
    </form>
  );
}
