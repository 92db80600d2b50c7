import { clientAddresses } from '../../../core/visitors/client-address.js';
import { addressPerDay, countMessage, dayOf, endOfDay } from '../../../core/visitors/limits.js';
import t from '../../support/t.js';

t.test(
  'an address may send all messages of a window at once, and then one as each becomes free',
  async (t) => {
    const rate = { messages: 200, windowMs: 60_000 };
    let tat = 0;
    let now = 1_795_312_800_123;
    const send = (): boolean => {
      const counted = countMessage(tat, now, rate);
      if ('tatMs' in counted) tat = counted.tatMs;
      return 'tatMs' in counted;
    };
    for (let n = 0; n < 200; n++) t.ok(send());
    t.notOk(send());
    t.match(countMessage(tat, now, rate), { retryAfterMs: 300 });
    now += 299;
    t.notOk(send());
    now += 1;
    t.ok(send());
    t.notOk(send());
    now += 60_000;
    for (let n = 0; n < 200; n++) t.ok(send(), 'after a quiet window, all again');
    t.notOk(send());
  },
);

t.test('an address has a tenth of the day, and at least 20 messages', async (t) => {
  t.strictSame([100, 1000, 100_000].map(addressPerDay), [20, 100, 10_000]);
  const noon = Date.UTC(2026, 10, 25, 12);
  t.equal(dayOf(noon), '2026-11-25');
  t.equal(endOfDay(noon), Date.UTC(2026, 10, 26));
});

t.test('the client is the last address that is no trusted proxy', async (t) => {
  const of = clientAddresses(['10.0.0.0/8', '2001:db8::1']);
  const cases: [peer: string, header: string | undefined, network: string, ignores?: boolean][] = [
    ['203.0.113.7', undefined, '203.0.113.7'],
    ['::ffff:203.0.113.7', undefined, '203.0.113.7'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7', true],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['10.1.2.3', undefined, '10.1.2.3'],
    ['10.1.2.3', 'unknown', '10.1.2.3'],
    ['10.1.2.3', '198.51.100.1, nonsense', '10.1.2.3'],
    ['10.1.2.3', '10.4.4.4, 10.5.5.5', '10.4.4.4'],
    ['2001:db8::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['10.1.2.3', '[2001:db8:1:2::9]:443', '2001:db8:1:2::'],
    ['2001:db8::2', '198.51.100.1', '2001:db8::', true],
  ];
  for (const [peer, header, network, ignoresHeader = false] of cases)
    t.strictSame(of(peer, header), { network, ignoresHeader }, `${peer} ${header}`);
});
