import { hashApiKey, keyHint, mayBeApiKey, newApiKey } from '../../../core/workspaces/api-key.js';
import t from '../../support/t.js';

t.test('a new key is long, plain and unique', async (t) => {
  const keys = Array.from({ length: 100 }, newApiKey);
  t.equal(new Set(keys).size, 100);
  for (const key of keys) {
    t.match(key, /^cadre_[\w-]{49}$/);
    t.ok(mayBeApiKey(key));
  }
});

t.test('recognises a mistyped key without a lookup', async (t) => {
  const key = newApiKey();
  for (let at = 'cadre_'.length; at < key.length; at += 1) {
    const typed = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
    t.notOk(mayBeApiKey(typed), typed);
  }
  for (const typed of ['', 'x'.repeat(513)]) t.notOk(mayBeApiKey(typed));
  t.ok(mayBeApiKey('a key that an operator chose'));
});

t.test('the stored hash does not reveal the key', async (t) => {
  const key = newApiKey();
  t.match(hashApiKey(key), /^[0-9a-f]{64}$/);
  t.equal(hashApiKey(key), hashApiKey(key));
  t.ok(keyHint(key).length < 20);
  t.ok(key.startsWith(keyHint(key).slice(0, 10)) && key.endsWith(keyHint(key).slice(-4)));
});
