import { readFileSync } from 'node:fs';
import t from 'tap';
import { configurationReference } from '../../config/reference.js';
import { derivedName, settingKeys } from '../../config/setting-keys.js';

const fileAt = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

t.test(
  'docs/configuration.md is current (else: node --import tsx config/print-reference.ts > docs/configuration.md)',
  async (t) => {
    t.equal(
      fileAt('docs/configuration.md'),
      configurationReference(JSON.parse(fileAt('config/default.json'))),
    );
  },
);

t.test(
  'every setting has one environment name of its own, a meaning and a unit where it counts something',
  async (t) => {
    const names = settingKeys.map((key) => key.env);
    t.equal(new Set(names).size, settingKeys.length);
    for (const key of settingKeys) {
      t.match(key.description, /^[A-Z].*\.$/, key.path);
      t.notMatch(key.expects, /undefined/, key.path);
    }
  },
);

t.test('names are derived, but for those of the contract', async (t) => {
  t.equal(derivedName('crawl.timeoutMs'), 'CADRE_CRAWL_TIMEOUT_MS');
  const own = settingKeys.filter((key) => key.env !== derivedName(key.path)).map((key) => key.env);
  t.same(own.sort(), ['BOOTSTRAP_API_KEY', 'DATABASE_URL', 'DATA_DIR', 'HOST', 'LOG_LEVEL', 'PORT', 'ROLES']);
});
