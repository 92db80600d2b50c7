import { dailyMailRounds } from '../test/support/daily-mail-rounds.js';
import { emptyMysql } from '../test/support/mysql.js';
import t from '../test/support/t.js';

/*
 * `npm run bench:daily-mails [kills]`: the daily e-mails of 300 members about 100 agents, on MariaDB or MySQL, while the
 * service is killed with SIGKILL.
 */

t.setTimeout(600_000);
const kills = Number(process.argv[2] ?? 10);
await t.test('daily e-mails', async (t) => {
  const { url } = await emptyMysql(t);
  console.table(await dailyMailRounds(t, { url, members: 300, agents: 100, kills, perMinute: 6000 }));
});
