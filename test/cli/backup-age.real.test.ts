import { join } from 'node:path';
import { commandLine } from '../support/command-line.js';
import { onEachEngine, startTestService } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

await onEachEngine('the age of the last backup is a metric', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const cli = commandLine({ DATABASE_URL: service.databaseUrl, DATA_DIR: tempFolder(t) });
  const age = async (): Promise<string | undefined> =>
    /^backup_age_seconds (\S+)$/m.exec(await (await fetch(`${service.baseUrl}/metrics`)).text())?.[1];
  t.equal(await age(), '+Inf');
  if (engine === 'sqlite') await cli.json('backup', '--to', join(tempFolder(t), 'copy.sqlite'));
  else {
    t.match(await cli.refused('backup'), { code: 'USAGE', message: /--record/ });
    t.match(await cli.json('backup', '--record'), { recordedAt: Number });
  }
  // Metrics are collected once a second.
  await until('the age', async () => Number(await age()) < 600);
});
