import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { silentLog } from '../../core/ports/log.port.js';
import { readPageFiles } from '../../processes/page-files.js';
import { startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

t.test('reads the built console with all its folders', async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), 'page');
  writeFileSync(join(folder, 'assets/main-1.js'), 'script');
  const files = readPageFiles('console', silentLog, pathToFileURL(`${folder}/`));
  t.same([...(files?.keys() ?? [])].sort(), ['assets/main-1.js', 'index.html']);
  t.equal(Buffer.from(files?.get('assets/main-1.js') ?? []).toString(), 'script');
});

t.test('a console that was not built only causes a warning', async (t) => {
  const said: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void said.push(message) };
  t.equal(readPageFiles('console', log, pathToFileURL(`${tempFolder(t)}/none/`)), null);
  t.match(said, [/npm run build/]);
});

t.test(
  'CADRE_CONSOLE_ENABLED and CADRE_REFERENCE_ENABLED=false disable pages; only true and false are accepted',
  async (t) => {
    const server = await startServer({
      dataDir: tempFolder(t),
      env: { CADRE_CONSOLE_ENABLED: 'false', CADRE_REFERENCE_ENABLED: 'false' },
    });
    t.teardown(() => server.killAll());
    for (const page of ['console', 'docs']) t.equal((await fetch(`${server.baseUrl}/${page}`)).status, 404);
    t.equal((await fetch(`${server.baseUrl}/api/v2/health`)).status, 200);
    await t.rejects(
      startServer({ dataDir: tempFolder(t), env: { CADRE_CONSOLE_ENABLED: 'no' } }),
      /CADRE_CONSOLE_ENABLED must be true or false/,
    );
  },
);
