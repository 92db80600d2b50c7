import type { Migration } from './migration.js';

/** Indexes of times that a process reads at its start, and of the pauses of hosts that a sweep deletes. */
export const timesOfRequests: Migration = {
  name: '030-times-of-requests',
  up: () => [
    'CREATE INDEX handover_mailed_at ON handover_mailed (mailed_at)',
    'CREATE INDEX handover_mailed_until ON handover_mailed (covers_until)',
    'CREATE INDEX host_pauses_next ON host_pauses (next_at_ms)',
  ],
};
