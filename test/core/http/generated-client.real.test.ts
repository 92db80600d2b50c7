import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { tsImport } from 'tsx/esm/api';
import { projectFile } from '../../support/project-folder.js';
import { calls, says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { startSocialService } from '../../support/social.js';
import t from '../../support/t.js';
import { webSite } from '../../support/web-site.js';

/*
 * Generates a client from the OpenAPI document of a running service, compiles it with a program that uses it, and
 * calls every operation. This generator works beside TypeScript 7, because it brings its own compiler.
 */

t.setTimeout(240_000);

const folder = projectFile('test/client/');
const SITE = 'https://docs.acme.com';

interface Program {
  callEveryOperation(surroundings: object): Promise<Set<string>>;
}

t.test('a generated client has every operation, and each one works', async (t) => {
  const site = await webSite(t);
  site.page('/page', 'We ship to every country of Europe, within three days.');
  site.page('/hooks', 'Thank you.');
  site.on('/walled', (_, response, visit) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(visit === 1 ? '<p>The mill grinds rye.' : '<h1>Are you human?</h1><p>Solve the captcha to go on.'),
  );
  const answerer = scriptedAnswerer();
  const { platform, service, apiKey } = await startSocialService(t, 'sqlite', {
    answerer,
    settings: { jobs: { maxAttempts: 1 } },
    worker: { crawl: { resolve: { [SITE]: site.origin } } },
  });
  const generated = new URL('generated/', folder);
  mkdirSync(generated, { recursive: true });
  const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const described = fileURLToPath(new URL('openapi.json', generated));
  writeFileSync(described, JSON.stringify(document));
  writeFileSync(new URL('client.ts', generated), await generateSource(described));

  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', folder));
  const types = await promisify(execFile)(process.execPath, [compiler, '-p', fileURLToPath(folder)]).then(
    () => '',
    ({ stdout, message }: { stdout?: string; message: string }) => stdout || message,
  );
  t.equal(types, '', 'the program fits the types of the client');

  const program = new URL('every-operation.ts', folder).href;
  const { callEveryOperation } = (await tsImport(program, import.meta.url)) as Program;
  const called = await callEveryOperation({
    baseUrl: service.baseUrl,
    apiKey,
    socialToken: platform.account('17841400').token,
    writeToAccount: () => platform.write('17841400', '9001', 'When are you open?'),
    site: SITE,
    askForTool: (id: string) =>
      answerer.play(calls('One moment.', { id, name: 'open_ticket', input: {} }), says('Done.')),
  });
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  t.ok(operations.length > 50, `${operations.length} operations`);
  t.same(
    operations.filter((id) => !called.has(id)),
    [],
    'none was left out',
  );
});
