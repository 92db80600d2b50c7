import { type OpeningHours, withinHours } from '../../../core/agent-settings/opening-hours.js';
import t from '../../support/t.js';

const berlin: OpeningHours = {
  timeZone: 'Europe/Berlin',
  days: {
    mon: [
      ['09:00', '12:00'],
      ['13:00', '17:00'],
    ],
    sat: [['22:00', '24:00']],
    sun: [['00:00', '03:00']],
  },
};
const within = (instant: string, hours: OpeningHours | null = berlin): boolean =>
  withinHours(hours, Date.parse(instant));

t.test('a span begins at its first minute and ends before its last', async (t) => {
  t.equal(within('2026-11-23T07:59:59.999Z'), false);
  t.equal(within('2026-11-23T08:00:00Z'), true);
  t.equal(within('2026-11-23T10:59:59.999Z'), true);
  t.equal(within('2026-11-23T11:00:00Z'), false);
  t.equal(within('2026-11-23T12:00:00Z'), true);
  t.equal(within('2026-11-24T08:00:00Z'), false, 'a missing day');
  t.equal(within('2026-11-24T08:00:00Z', null), true, 'no hours');
});

t.test('a span until 24:00 continues in one of the next day', async (t) => {
  t.equal(within('2026-11-21T22:59:59.999Z'), true);
  t.equal(within('2026-11-21T23:00:00Z'), true);
  t.equal(within('2026-11-22T02:00:00Z'), false);
});

t.test('hours follow the clocks of the zone when they change', async (t) => {
  // In summer, Berlin is two hours ahead of UTC.
  t.equal(within('2026-07-06T07:00:00Z'), true);
  t.equal(within('2026-07-06T15:00:00Z'), false);
  // On 2026-03-29, 02:00 is followed by 03:00: the span ends an hour earlier.
  t.equal(within('2026-03-29T00:59:59.999Z'), true);
  t.equal(within('2026-03-29T01:00:00Z'), false);
  // On 2026-10-25, the hour from 02:00 is repeated, and is within the span both times.
  t.equal(within('2026-10-25T00:30:00Z'), true);
  t.equal(within('2026-10-25T01:30:00Z'), true);
  t.equal(within('2026-10-25T02:00:00Z'), false);
});

t.test('zones with parts of an hour, and across the date line', async (t) => {
  const days: OpeningHours['days'] = { mon: [['09:00', '09:15']] };
  t.equal(within('2026-11-23T03:15:00Z', { timeZone: 'Asia/Kathmandu', days }), true);
  t.equal(within('2026-11-23T03:30:00Z', { timeZone: 'Asia/Kathmandu', days }), false);
  t.equal(within('2026-11-22T19:00:00Z', { timeZone: 'Pacific/Kiritimati', days }), true);
});
