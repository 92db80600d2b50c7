import { siteKills } from '../test/support/site-kills.js';

/*
 * `npm run bench:site-kills [pages] [kills]`: kill -9 while a generated site with traps is read. DATABASE_URL and AMQP_URL
 * name another database and queue; with AMQP_URL, two services share them. The database must be empty.
 */

const [pages = 5000, kills = 10] = process.argv.slice(2).map(Number);
const { DATABASE_URL, AMQP_URL, CADRE_PLUGINS_QUEUE_OPTIONS: options } = process.env;
const env = {
  ...(DATABASE_URL ? { DATABASE_URL } : {}),
  ...(AMQP_URL ? { AMQP_URL } : {}),
  ...(options ? { CADRE_PLUGINS_QUEUE_OPTIONS: options } : {}),
};
const figures = await siteKills(pages, kills, {
  env,
  processes: AMQP_URL ? 2 : 1,
  onKill: (kill, read) => console.log(`kill ${kill} after ${read} pages`),
});
console.log(JSON.stringify(figures, null, 2));
