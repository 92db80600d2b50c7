/**
 * @import { Log } from 'cadre/plugin'
 * @import { Client } from './link.js'
 */

/**
 * Says on each connection what would lose tasks later. Redis may forbid INFO: then nothing is said.
 * @param {Client} client
 * @param {Log} log
 */
export const warnOfDataLoss = async (client, log) => {
  const info = `${await client.info('memory')}\n${await client.info('persistence')}`;
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined && policy !== 'noeviction')
    log.warn(
      { policy },
      'Redis may evict keys of this queue when it is full: set maxmemory-policy noeviction',
    );
  if (/^aof_enabled:0/m.test(info))
    log.warn({}, 'Redis keeps no append-only file: a restart of Redis loses what waits in this queue');
};
