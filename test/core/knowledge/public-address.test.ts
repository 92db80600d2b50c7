import { isPublicAddress } from '../../../core/knowledge/urls/public-address.js';
import t from '../../support/t.js';

const verdicts = (addresses: string[]): Record<string, boolean> =>
  Object.fromEntries(addresses.map((address) => [address, isPublicAddress(address)]));
const all = (addresses: string[], verdict: boolean): Record<string, boolean> =>
  Object.fromEntries(addresses.map((address) => [address, verdict]));

t.test('addresses that the IANA registries list as globally reachable are public', async (t) => {
  const addresses = [
    ...[
      '8.8.8.8',
      '1.1.1.1',
      '172.15.255.255',
      '172.32.0.1',
      '100.63.255.255',
      '100.128.0.1',
      '223.255.255.254',
    ],
    ...[
      '169.253.255.255',
      '169.255.0.1',
      '192.0.1.1',
      '192.0.0.9',
      '192.0.0.10',
      '198.17.255.255',
      '198.20.0.1',
    ],
    ...[
      '192.31.196.1',
      '192.52.193.1',
      '192.175.48.1',
      '9.255.255.255',
      '11.0.0.1',
      '126.255.255.255',
      '128.0.0.1',
    ],
    ...[
      '2606:4700:4700::1111',
      '2001:4860:4860::8888',
      '2a00:1450::1',
      '2001:200::1',
      '2001:1::1',
      '2001:3::1',
    ],
    ...['2001:4:112::1', '2001:20::1', '2620:4f:8000::1', '3ffe::1'],
  ];
  t.same(verdicts(addresses), all(addresses, true));
});

t.test('special-purpose IPv4 addresses are not public', async (t) => {
  const addresses = [
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
    ...[
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.0.8',
      '192.0.0.170',
    ],
    ...[
      '192.0.0.192',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.0.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
    ],
    ...['203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ];
  t.same(verdicts(addresses), all(addresses, false));
});

t.test('special-purpose IPv6 addresses are not public', async (t) => {
  const addresses = [
    ...[
      '::',
      '::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'febf::1',
      'fec0::1',
      'feff::1',
      'ff02::1',
      'ff0e::1',
    ],
    ...['100::1', '100:0:0:1::1', '2001::1', '2001:0:808:808::1', '2001:2::1', '2001:10::1', '2001:db8::1'],
    ...[
      '2001:1::4',
      '3fff::1',
      '3fff:fff::1',
      '5f00::1',
      '4000::1',
      '64:ff9b:1::1',
      '64:ff9b:1:a00:0:100::',
      '::ffff:0:7f00:1',
    ],
  ];
  t.same(verdicts(addresses), all(addresses, false));
});

t.test('an IPv6 address that embeds an IPv4 address is treated like that one', async (t) => {
  const carry = (hex: string, dotted: string): string[] => [
    `::ffff:${dotted}`,
    `::ffff:${hex}`,
    `::${dotted}`,
    `::${hex}`,
    `64:ff9b::${dotted}`,
    `2002:${hex}::1`,
  ];
  for (const address of carry('808:808', '8.8.8.8')) t.equal(isPublicAddress(address), true, address);
  for (const address of carry('7f00:1', '127.0.0.1')) t.equal(isPublicAddress(address), false, address);
  for (const address of carry('a9fe:a9fe', '169.254.169.254'))
    t.equal(isPublicAddress(address), false, address);
  for (const address of carry('e000:1', '224.0.0.1')) t.equal(isPublicAddress(address), false, address);
});

t.test('text that is not a plain address is not public', async (t) => {
  const texts = [
    '',
    'localhost',
    '127.1',
    '0x8.8.8.8',
    '010.8.8.8',
    '134744072',
    '8.8.8',
    '8.8.8.8.',
    '1.1.1.1 ',
  ];
  const more = ['[2606:4700::1]', 'fe80::1%eth0', '2606:4700::1%eth0', ':', '::g', '999.1.1.1', '8.8.8.8/32'];
  t.same(verdicts([...texts, ...more]), all([...texts, ...more], false));
});
