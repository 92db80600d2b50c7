import test from 'node:test';
import { describeQueueContract } from 'cadre/contracts/queue';
import plugin from '../index.js';
import { freshOptions, launchWorker, redisMissing, removeKeys, withRedis } from './redis.js';

const skip = await redisMissing();

/** @param {string} prefix */
const sendGarbage = (prefix) =>
  withRedis(async (client) => {
    for (const stream of ['tasks', 'events']) {
      for (const body of [
        '',
        'not json',
        '[]',
        'null',
        '{"v":1}',
        '{"v":99,"type":"crawl_page"}',
        '\u0000\ufffd',
      ])
        await client.xAdd(`${prefix}:${stream}`, '*', { body });
      await client.xAdd(`${prefix}:${stream}`, '*', { something: 'else' });
    }
  });

describeQueueContract({ test: (name, body) => test(name, { skip }, body) }, async () => {
  const options = freshOptions();
  return {
    plugin,
    options,
    launchWorker: (spec) => launchWorker({ ...spec, options }),
    sendGarbage: () => sendGarbage(options.prefix),
    close: () => removeKeys(options.prefix),
  };
});
