/**
 * @import { Log } from 'cadre/plugin'
 * @import { Client } from './link.js'
 */

/**
 * Warns of server settings that may lose tasks. Skips the check if Redis forbids INFO.
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
    log.warn({}, 'Redis keeps no append-only file: a restart of Redis loses the contents of this queue');
};
