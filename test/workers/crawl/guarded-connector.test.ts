import type { LookupAddress } from 'node:dns';
import { Agent, fetch, request } from 'undici';
import { guardedConnector, guardedLookup } from '../../../workers/crawl/guarded-connector.js';
import type { Network } from '../../../workers/crawl/network.js';
import { scriptedSite } from '../../support/scripted-site.js';
import t from '../../support/t.js';

/** A name server with a different response to each query. */
const answering = (...answers: string[][]) => {
  let questions = 0;
  const resolve = async (): Promise<LookupAddress[]> => {
    const addresses = answers[Math.min(questions, answers.length - 1)] ?? [];
    questions += 1;
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, questions: () => questions };
};

const looked = (network: Network, all: boolean): Promise<unknown> =>
  new Promise((resolve) => {
    guardedLookup(network)('a.example', { all }, (error, address, family) =>
      resolve(error ? error.name : { address, family }),
    );
  });

const publicIsFirst = (address: string): boolean => address.startsWith('8.');

t.test('rejects a name if any of its addresses is not public', async (t) => {
  const network = (...addresses: string[]): Network => ({ ...answering(addresses), isPublic: publicIsFirst });
  t.same(await looked(network('8.8.8.8', '8.8.4.4'), true), {
    address: [
      { address: '8.8.8.8', family: 4 },
      { address: '8.8.4.4', family: 4 },
    ],
    family: undefined,
  });
  t.same(await looked(network('8.8.8.8'), false), { address: '8.8.8.8', family: 4 });
  t.equal(await looked(network('8.8.8.8', '10.0.0.1'), true), 'AddressRefused');
  t.equal(await looked(network('::1', '8.8.8.8'), false), 'AddressRefused');
  t.equal(await looked(network(), true), 'Error');
});

t.test(
  'connects to the address that was checked, so that a changed DNS response has no effect',
  async (t) => {
    const allowed = await scriptedSite('127.0.0.1');
    t.teardown(() => allowed.close());
    allowed.serve('/', 'the checked one');
    const names = answering(['127.0.0.1'], ['127.0.0.2']);
    const network: Network = { resolve: names.resolve, isPublic: (address) => address === '127.0.0.1' };
    const agent = new Agent({ connect: guardedConnector(network, 2000) });
    t.teardown(() => agent.destroy());
    const url = `http://rebinding.example:${allowed.port}/`;
    const { body } = await request(url, { dispatcher: agent });
    t.equal(await body.text(), 'the checked one');
    t.equal(names.questions(), 1, 'one question, one connection');
    const second = new Agent({ connect: guardedConnector(network, 2000) });
    t.teardown(() => second.destroy());
    await t.rejects(request(url, { dispatcher: second }), { name: 'AddressRefused' });
  },
);

t.test('rejects address literals, which sockets do not look up', async (t) => {
  const site = await scriptedSite();
  t.teardown(() => site.close());
  site.serve('/', 'private');
  const network: Network = { ...answering(['127.0.0.1']), isPublic: () => false };

  const lookupOnly = new Agent({ connect: { lookup: guardedLookup(network) } });
  t.teardown(() => lookupOnly.destroy());
  const reached = await fetch(`${site.origin}/`, { dispatcher: lookupOnly });
  t.equal(await reached.text(), 'private', 'the guard of the lookup was not asked');

  const guarded = new Agent({ connect: guardedConnector(network, 2000) });
  t.teardown(() => guarded.destroy());
  await t.rejects(request(`${site.origin}/`, { dispatcher: guarded }), { name: 'AddressRefused' });
  await t.rejects(request(`http://[::1]:${site.port}/`, { dispatcher: guarded }), { name: 'AddressRefused' });
  t.equal(site.visits('/'), 1);
});
