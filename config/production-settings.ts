import { settingKeys } from './setting-keys.js';

/**
 * Settings whose default works on one machine but not in production (see docs/operating.md). The files in `deploy`
 * and docker-compose.yml set them for every API process. A test compares the page and the files with this list.
 */
const paths = ['secrets.key', 'http.publicUrl', 'http.trustedProxies'] as const;

export const productionSettings = settingKeys.filter(({ path }) =>
  (paths as readonly string[]).includes(path),
);
