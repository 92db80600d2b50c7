import {
  checkPassword,
  hashPassword,
  impossibleHash,
  PASSWORD_COST,
} from '../../../core/people/password-hash.js';
import t from '../../support/t.js';

t.test('a hash holds its parameters, and fits its password only', async (t) => {
  const hash = await hashPassword('correct horse', PASSWORD_COST);
  t.match(hash, /^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  t.not(hash, await hashPassword('correct horse', PASSWORD_COST), 'salted');
  t.strictSame(await checkPassword('correct horse', hash, PASSWORD_COST), {
    isRight: true,
    isOutdated: false,
  });
  t.strictSame(await checkPassword('Correct horse', hash, PASSWORD_COST), {
    isRight: false,
    isOutdated: false,
  });
  t.match(await checkPassword('', impossibleHash(PASSWORD_COST), PASSWORD_COST), { isRight: false });
});

t.test('a hash of an earlier version still fits, and is outdated', async (t) => {
  const hash = await hashPassword('correct horse', 1024);
  t.strictSame(await checkPassword('correct horse', hash, 2048), { isRight: true, isOutdated: true });
});
