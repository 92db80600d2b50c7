import {
  firstMoment,
  latestMoment,
  nextMoment,
  type Schedule,
} from '../../../core/agent-settings/schedule-moments.js';
import t from '../../support/t.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(text);
const iso = (ms: number): string => new Date(ms).toISOString();
const daily = (timeZone: string, hour: number, every = 1): Schedule => ({
  every,
  unit: 'days',
  hour,
  timeZone,
});

/** The moments of a schedule whose runs begin at once, from after `from` to `until`. */
function moments(schedule: Schedule, from: number, until: number): number[] {
  const found: number[] = [];
  for (let due = firstMoment(schedule, from); due < until; due = nextMoment(schedule, due, due))
    found.push(due);
  return found;
}

/** Zones with both changes of the clock; Lord Howe by half an hour, Beirut, Cairo and Santiago at midnight. */
const zones = [
  'Europe/Berlin',
  'Europe/London',
  'Europe/Lisbon',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Santiago',
  'Asia/Beirut',
  'Africa/Cairo',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
];

for (const zone of zones)
  t.test(`${zone}: a daily schedule has one moment a day over both changes of the clock`, async (t) => {
    const shown = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const [from, until] = [at('2027-01-01T12:30:00Z'), at('2028-01-01T12:30:00Z')];
    const offsets = new Set(
      moments(daily(zone, 12), from, until).map((ms) => at(`${shown.format(ms).replace(' ', 'T')}Z`) - ms),
    );
    t.equal(offsets.size, 2, 'the clock changes');
    for (const hour of [0, 1, 2, 3]) {
      const found = moments(daily(zone, hour), from, until);
      const readings = found.map((ms) => shown.format(ms));
      t.equal(new Set(readings.map((text) => text.slice(0, 10))).size, found.length, 'one a day');
      t.equal(found.length, 365);
      const others = found.filter((_, n) => Number(readings[n]?.slice(11, 13)) !== hour);
      t.ok(others.length <= 1, 'at the hour, but where the clock skips it');
      for (const ms of others) {
        const before = shown.format(ms - 1000).slice(11, 13);
        t.ok(Number(before) < hour || hour === 0, `${iso(ms)} is the change of the clock`);
      }
      const again = found.filter((ms) => shown.format(ms - HOUR) === shown.format(ms));
      t.same(again.map(iso), [], 'the first of two equal hours');
      t.ok(found.every((ms, n) => n === 0 || ms - (found[n - 1] ?? 0) <= 25 * HOUR));
    }
  });

t.test(
  'an hour that the clock skips is the next one that exists, and a doubled one counts once',
  async (t) => {
    const berlin = daily('Europe/Berlin', 2);
    t.same(moments(berlin, at('2027-03-27T12:00:00Z'), at('2027-03-30T00:00:00Z')).map(iso), [
      '2027-03-28T01:00:00.000Z',
      '2027-03-29T00:00:00.000Z',
    ]);
    t.same(moments(berlin, at('2027-10-30T12:00:00Z'), at('2027-11-02T00:00:00Z')).map(iso), [
      '2027-10-31T00:00:00.000Z',
      '2027-11-01T01:00:00.000Z',
    ]);
    t.equal(
      iso(firstMoment(daily('Asia/Beirut', 0), at('2027-03-27T12:00:00Z'))),
      '2027-03-27T22:00:00.000Z',
    );
  },
);

t.test('missed moments are left out, and the days are counted on', async (t) => {
  const third = daily('America/New_York', 3, 3);
  const due = at('2027-03-10T08:00:00Z');
  t.equal(iso(nextMoment(third, due, due + 1000)), '2027-03-13T08:00:00.000Z');
  t.equal(iso(nextMoment(third, due, at('2027-03-17T00:00:00Z'))), '2027-03-19T07:00:00.000Z');
  t.equal(iso(nextMoment(third, due, at('2037-03-17T00:00:00Z'))).slice(11), '07:00:00.000Z');
});

t.test('hours are elapsed time, also over a change of the clock', async (t) => {
  const now = at('2027-03-28T00:30:00Z');
  const schedule: Schedule = { every: 6, unit: 'hours' };
  t.equal(firstMoment(schedule, now), now + 6 * HOUR);
  t.equal(nextMoment(schedule, now, now + 5000), now + 5000 + 6 * HOUR);
  t.equal(latestMoment(schedule, now), now + 6 * HOUR);
});

t.test('no moment follows later than the days allow', async (t) => {
  const now = at('2027-05-05T01:30:00Z');
  t.equal(iso(latestMoment(daily('UTC', 3, 2), now)), '2027-05-07T03:00:00.000Z');
  t.ok(latestMoment(daily('UTC', 3), now) <= now + DAY + 24 * HOUR);
});
