import type { Migration } from './migration.js';

/** The robots.txt of each reading of a site. */
export const robotsOfReadings: Migration = {
  name: '033-robots-of-readings',
  up: ({ long }) => [`ALTER TABLE site_readings ADD COLUMN robots ${long} NULL`],
};
