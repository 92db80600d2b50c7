import { settingKeys } from './setting-keys.js';

/**
 * Settings with a default that works on one machine, but not in production: docs/operating.md says why, and the files in
 * `deploy` and docker-compose.yml leave no API process without them. A test compares both with this list.
 */
const paths = ['secrets.key', 'http.publicUrl', 'http.trustedProxies'] as const;

export const productionSettings = settingKeys.filter(({ path }) =>
  (paths as readonly string[]).includes(path),
);
