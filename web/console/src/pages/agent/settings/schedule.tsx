import { When } from '../../../parts/figures.js';
import { SettingsGroup } from '../settings-group.js';
import { schedule } from './layout.js';

interface Stored {
  lastAt?: number | null;
  nextAt?: number | null;
}

/** Returns the whole schedule, because the API replaces it as a whole. */
function wholeSchedule(
  changes: Record<string, unknown>,
  { every, unit, hour, timeZone }: Record<string, unknown>,
): Record<string, unknown> {
  const whole: Record<string, unknown> = { every, unit, hour, timeZone, ...changes };
  if (whole.every == null) return { every: null };
  const { hour: _, timeZone: __, ...hours } = whole;
  return whole.unit === 'hours' ? hours : whole;
}

const Times = ({ lastAt = null, nextAt = null }: Stored) => (
  <p class="about">
    Last run: {lastAt === null ? 'none yet' : <When seconds={lastAt} />}. Next run:{' '}
    {nextAt === null ? 'none, because automatic reading is off' : <When seconds={nextAt} />}.
  </p>
);

/** When the pages of an agent are read again, with the last and the next run. */
export const Schedule = ({ agentId }: { agentId: string }) => (
  <SettingsGroup
    agentId={agentId}
    page={schedule}
    bodyOf={wholeSchedule}
    hides={({ unit }) => (unit === 'hours' ? ['hour', 'timeZone'] : [])}
    facts={(stored) => <Times {...stored} />}
  />
);
