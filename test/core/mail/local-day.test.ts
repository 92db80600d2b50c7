import { localTime, spanOf } from '../../../core/mail/daily/local-day.js';
import t from '../../support/t.js';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);

t.test('a day has 23 to 25 hours, by the clocks of its zone', async (t) => {
  for (const [zone, day, from, to] of [
    ['UTC', '2026-11-26', '2026-11-26T00:00:00', '2026-11-27T00:00:00'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00', '2026-03-29T22:00:00'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00', '2026-10-25T23:00:00'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00', '2026-03-09T04:00:00'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00', '2026-11-02T05:00:00'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00', '2026-10-04T13:00:00'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00', '2026-01-01T18:15:00'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00', '2026-01-01T10:00:00'],
    ['Etc/GMT+12', '2026-01-01', '2026-01-01T12:00:00', '2026-01-02T12:00:00'],
    // Clocks go from 00:00 to 01:00.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00', '2026-04-24T21:00:00'],
  ] as const) {
    const span = spanOf(day, zone);
    t.strictSame([at(span.from), at(span.to)], [from, to], `${day} in ${zone}`);
  }
});

t.test('local time has the day and the hour of the zone', async (t) => {
  const ms = Date.parse('2026-11-26T23:05:00Z');
  t.strictSame(localTime(ms, 'Europe/Berlin'), { day: '2026-11-27', hour: 0, minute: 5 });
  t.strictSame(localTime(ms, 'America/New_York'), { day: '2026-11-26', hour: 18, minute: 5 });
});
