import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { tsImport } from 'tsx/esm/api';
import { unauditedOperations } from '../../../core/audit/operations.js';
import type { AuditRow } from '../../../core/ports/store/audit.js';
import type { ApiClient } from '../../support/api-client.js';
import { projectFile } from '../../support/project-folder.js';
import { calls, says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { startSocialService } from '../../support/social.js';
import { webSite } from '../../support/web-site.js';

/*
 * Generates a client from the OpenAPI document of a running service, compiles it with a program that uses it, and
 * calls every operation. This generator works beside TypeScript 7, because it brings its own compiler.
 */

const folder = projectFile('test/client/');
const SITE = 'https://docs.acme.com';

/** Fields of responses with a secret. Of a link, the part after `#`. */
const SECRET = /"(?:secret|token|inviteUrl|uploadUrl)":"(?:[^"#]*#)?([^"]+)"/g;

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
}

interface Program {
  callEveryOperation(surroundings: object): Promise<Set<string>>;
}

/** The id has more digits than a time, so that no other value contains it by chance. */
const PERSON = '90017392650184';
const MESSAGE = 'When are you open?';

await onEachEngine(
  'a generated client has every operation, each one works, and each change is audited once',
  async (t, engine) => {
    const site = await webSite(t);
    site.page('/page', 'We ship to every country of Europe, within three days.');
    site.page('/hooks', 'Thank you.');
    site.on('/walled', (_, response, visit) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          visit === 1 ? '<p>The mill grinds rye.' : '<h1>Are you human?</h1><p>Solve the captcha to go on.',
        ),
    );
    const answerer = scriptedAnswerer();
    const { platform, service, apiKey, api } = await startSocialService(t, engine, {
      answerer,
      settings: { jobs: { maxAttempts: 1 } },
      worker: { crawl: { resolve: { [SITE]: site.origin } } },
    });
    const generated = new URL('generated/', folder);
    mkdirSync(generated, { recursive: true });
    const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as Document;
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
    const sent: { id: string; requestId: string; done: boolean; read: boolean }[] = [];
    const secrets = new Set([apiKey]);
    const called = await callEveryOperation({
      fetch: async (url: string, init: RequestInit) => {
        const requestId = randomUUID();
        const headers = new Headers(init.headers);
        headers.set('x-request-id', requestId);
        const response = await fetch(url, { ...init, headers });
        // The stream of the inbox does not end.
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
        const answer = isStream ? '' : await response.clone().text();
        for (const [, secret = ''] of answer.matchAll(SECRET)) secrets.add(secret);
        const method = init.method ?? 'GET';
        const id = operationOf(document, method, new URL(url).pathname);
        sent.push({ id, requestId, done: response.ok, read: method === 'GET' });
        return response;
      },
      baseUrl: service.baseUrl,
      apiKey,
      socialToken: platform.account('17841400').token,
      writeToAccount: () => platform.write('17841400', PERSON, MESSAGE),
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

    // The audit log: one row for each change, none for what was refused or only read.
    const rows = await allRows(api);
    const rowsOf = (requestId: string) => rows.filter((row) => row.requestId === requestId);
    for (const { id, requestId, done, read } of sent) {
      // Without effect if the work has ended, or the message is just being sent.
      if (/^(cancel|redeliver)/.test(id) && rowsOf(requestId).length === 0) continue;
      const expected = done && !read && !unauditedOperations.has(id) ? [id] : [];
      t.same(
        rowsOf(requestId).map(({ action }) => action),
        expected,
        `${id}: ${expected.length} row`,
      );
    }
    t.equal(rows.length, sent.filter(({ requestId }) => rowsOf(requestId).length > 0).length, 'no others');
    t.ok(secrets.size > 5, `${secrets.size} secrets`);
    const text = JSON.stringify(rows);
    t.same(
      [...secrets, 'When do you open?', MESSAGE, PERSON].filter((secret) => text.includes(secret)),
      [],
      'no secret, message or person',
    );
  },
);

/** Finds the operation of a request by its path. */
function operationOf({ paths }: Document, method: string, path: string): string {
  const served = path.replace(/^\/api\/v2/, '');
  const matches = (template: string): boolean => {
    const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(served);
  };
  const found = Object.entries(paths).filter(([template]) => matches(template));
  // A path without parameters precedes one with.
  const [[, operations] = []] = found.sort(([a], [b]) => a.split('{').length - b.split('{').length);
  return operations?.[method.toLowerCase()]?.operationId ?? `${method} ${path}`;
}

async function allRows(api: ApiClient): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/audit?limit=100${cursor && `&cursor=${cursor}`}`;
    const { body } = await api.get<{ data: AuditRow[]; pagination: { cursor: string | null } }>(path);
    rows.push(...body.data);
    cursor = body.pagination.cursor;
  }
  return rows;
}
