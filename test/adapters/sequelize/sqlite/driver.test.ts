import { join } from 'node:path';
import { createDriver } from '../../../../adapters/sequelize/sqlite/driver.js';
import { closeHandle, type Handle, openHandle } from '../../../../adapters/sequelize/sqlite/handle.js';
import type { Handles } from '../../../../adapters/sequelize/sqlite/handles.js';
import { createWriteAheadLog } from '../../../../adapters/sequelize/sqlite/write-ahead-log.js';
import t from '../../../support/t.js';
import { tempFolder } from '../../../support/temp-folder.js';

interface Opened {
  run(sql: string, done: (error: Error | null) => void): void;
  close(): void;
}

t.test('a closed connection cannot return its handle twice, or write', async (t) => {
  const log = createWriteAheadLog({ sync: async () => {}, checkpoint: async () => {} });
  const handle = openHandle(join(tempFolder(t), 'a.sqlite'), log);
  t.teardown(() => closeHandle(handle));
  const back: Handle[] = [];
  const handles: Handles = { take: () => handle, giveBack: (one) => void back.push(one), close() {} };
  const { Database } = createDriver(handles) as {
    Database: new (file: string, mode: number, opened: () => void) => Opened;
  };
  const database = new Database('a.sqlite', 6, () => {});
  database.close();
  database.close();
  t.equal(back.length, 1);
  const error = await new Promise<Error | null>((done) =>
    database.run('CREATE TABLE notes (text TEXT)', done),
  );
  t.match(error, { message: 'the database is not open' });
});
