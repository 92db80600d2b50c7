import { createKeyring, SecretUnreadable } from '../../core/secrets/keyring.js';
import t from '../support/t.js';

const installation = new Uint8Array(32).fill(7);
const bytes = (text: string) => new TextEncoder().encode(text);
const ring = (key: string | null, ...previousKeys: string[]) =>
  createKeyring({ key, previousKeys, installation });

t.test('a secret can be read with the key that encrypted it, for the same agent only', async (t) => {
  const first = ring('first key of thirty-two characters');
  const sealed = first.seal('agent-1', bytes('hunter2'));
  t.notOk(Buffer.from(sealed).includes('hunter2'));
  t.not(
    Buffer.from(sealed).toString('hex'),
    Buffer.from(first.seal('agent-1', bytes('hunter2'))).toString('hex'),
  );
  t.equal(Buffer.from(first.open('agent-1', sealed)).toString(), 'hunter2');
  t.throws(() => first.open('agent-2', sealed), SecretUnreadable);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    t.throws(() => first.open('agent-1', changed), SecretUnreadable, `byte ${at}`);
  }
});

t.test('keys can be replaced, also the one derived from the installation', async (t) => {
  const before = ring(null).seal('a', bytes('x'));
  const second = ring('the second key of 32 characters!!');
  t.equal(Buffer.from(second.open('a', before)).toString(), 'x');
  const sealed = second.seal('a', bytes('y'));
  const third = ring('the third key with 32 characters!', 'the second key of 32 characters!!');
  t.equal(Buffer.from(third.open('a', sealed)).toString(), 'y');
  t.throws(() => ring('the third key with 32 characters!').open('a', sealed), SecretUnreadable);
});

t.test('purposes have different keys, and the installation signs nothing once a key is set', async (t) => {
  const derived = ring('first key of thirty-two characters', 'the second key of 32 characters!!');
  const one = derived.derive('one');
  const two = derived.derive('two');
  t.equal(one.currentId, two.currentId);
  t.notSame(one.byId.get(one.currentId), two.byId.get(one.currentId));
  t.equal(one.byId.size, 2);
  t.notOk(one.byId.has(ring(null).derive('one').currentId));
});
