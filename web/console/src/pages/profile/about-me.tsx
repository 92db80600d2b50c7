import { useState } from 'preact/hooks';
import { ask } from '../../api/request.js';
import type { Me } from '../../api/types.js';
import { timeZones } from '../../forms/known-values.js';
import { useAction } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Problem } from '../../parts/notice.js';
import { Select } from '../../parts/select.js';

type Notifications = NonNullable<Me['notifications']>;

const mails: { name: keyof Notifications; label: string }[] = [
  { name: 'dailyConversations', label: 'Conversations of the day before' },
  { name: 'dailyEmails', label: 'Daily summary' },
  { name: 'quotaAlerts', label: 'Warnings before an allowance is used up' },
  { name: 'handover', label: 'Conversations that wait for a person' },
];

interface SwitchProps {
  id: string;
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

const Switch = ({ id, label, checked, onChange }: SwitchProps) => (
  <div class="field switch">
    <label for={id}>{label}</label>
    <input
      id={id}
      type="checkbox"
      role="switch"
      aria-checked={checked}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </div>
);

/** Name, time zone, presence and e-mails of the person. */
export function AboutMe({ me }: { me: Me }) {
  const [name, setName] = useState(me.name);
  const [timeZone, setTimeZone] = useState(me.timeZone ?? '');
  const [away, setAway] = useState(me.away ?? false);
  const [notifications, setNotifications] = useState(me.notifications);
  const { busy, failure, run } = useAction();
  const save = (event: Event) => {
    event.preventDefault();
    void run(async () => {
      const body = { name, timeZone: timeZone || null, away, ...(notifications ? { notifications } : {}) };
      await ask('/me', { method: 'PATCH', body });
      confirmDone('Your profile was saved.');
    });
  };
  return (
    <form onSubmit={save}>
      <div class="field">
        <label for="my-name">Name</label>
        <input
          id="my-name"
          autocomplete="name"
          required
          maxLength={100}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="my-zone">Time zone</label>
        <Select
          id="my-zone"
          value={timeZone}
          choices={[['', 'As the workspace'], ...timeZones().map((zone) => [zone, zone] as const)]}
          onChange={setTimeZone}
        />
      </div>
      <Switch id="my-away" label="I am away" checked={away} onChange={setAway} />
      {notifications && (
        <fieldset class="group">
          <legend>E-mails of {me.workspace.name}</legend>
          <p class="hint">You get only what the settings of an agent turn on, too.</p>
          {mails.map(({ name, label }) => (
            <Switch
              key={name}
              id={`mail-${name}`}
              label={label}
              checked={notifications[name]}
              onChange={(checked) => setNotifications({ ...notifications, [name]: checked })}
            />
          ))}
        </fieldset>
      )}
      <Problem failure={failure} />
      <div class="actions">
        <button type="submit" class="primary" disabled={busy}>
          Save
        </button>
      </div>
    </form>
  );
}
