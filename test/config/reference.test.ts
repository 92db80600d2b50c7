import { derivedName, settingKeys } from '../../config/setting-keys.js';
import t from '../support/t.js';

t.test(
  'every setting has one environment variable, a description, and a unit if it counts something',
  async (t) => {
    const names = settingKeys.map((key) => key.env);
    t.equal(new Set(names).size, settingKeys.length);
    for (const key of settingKeys) {
      t.match(key.description, /^[A-Z].*\.$/, key.path);
      t.notMatch(key.expects, /undefined/, key.path);
    }
  },
);

t.test('names are derived, except those of the contract and of OpenTelemetry', async (t) => {
  t.equal(derivedName('crawl.timeoutMs'), 'CADRE_CRAWL_TIMEOUT_MS');
  const own = settingKeys.filter((key) => key.env !== derivedName(key.path)).map((key) => key.env);
  t.same(own.sort(), [
    'BOOTSTRAP_API_KEY',
    'DATABASE_URL',
    'DATA_DIR',
    'HOST',
    'LOG_LEVEL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
    'PORT',
    'ROLES',
  ]);
});
