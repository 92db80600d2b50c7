import { join } from 'node:path';
import { dailyMailRounds } from '../support/daily-mail-rounds.js';
import { emptyMysql, mysqlMissing } from '../support/mysql.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

const rounds = { members: 20, agents: 5, kills: 3, perMinute: 1500 };
const missing = await mysqlMissing();

for (const engine of ['sqlite', 'mysql'] as const)
  await t.test(
    `no daily e-mail is lost over kill -9 (${engine})`,
    { skip: engine === 'mysql' && missing },
    async (t) => {
      const url =
        engine === 'mysql' ? (await emptyMysql(t)).url : `sqlite:${join(tempFolder(t), 'cadre.sqlite')}`;
      const figures = await dailyMailRounds(t, { url, ...rounds });
      t.comment(figures);
      t.equal(figures.missing, 0);
      t.ok(figures.twice <= figures.kills, 'only an e-mail that was being sent at a kill arrives again');
      t.equal(figures.messages, rounds.members * 2 + figures.twice);
    },
  );
