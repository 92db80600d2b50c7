import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { checkpoint } from '../../../../adapters/sequelize/sqlite/checkpoint.thread.js';
import { connectSqlite } from '../../../../adapters/sequelize/sqlite/connect.js';
import t from '../../../support/t.js';
import { tempFolder } from '../../../support/temp-folder.js';

/** How many files of this folder we have open. */
function openFiles(folder: string): number {
  const targets = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(folder)).length;
}

t.test(
  'checkpoints leave no files open',
  { skip: process.platform === 'linux' ? false : 'the system does not tell which files are open' },
  async (t) => {
    const folder = tempFolder(t);
    const file = join(folder, 'a.sqlite');
    const connection = connectSqlite(`sqlite:${file}`);
    t.teardown(() => connection.close());
    await connection.sequelize.query('CREATE TABLE notes (text TEXT)');
    checkpoint(file);
    const before = openFiles(folder);
    t.not(before, 0);
    for (let n = 0; n < 50; n += 1) {
      await connection.sequelize.query("INSERT INTO notes VALUES ('a note')");
      checkpoint(file);
    }
    t.equal(openFiles(folder), before);
  },
);
