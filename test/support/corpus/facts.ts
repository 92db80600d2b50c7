import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { Test } from 'tap';
import { inCorpus } from './folder.js';

/** A small input with one thing that is easily read wrong, and what the stored text must hold. */
export interface Fact {
  id: string;
  kind: string;
  note?: string;
  file?: string;
  page?: string;
  call?: { path: string; body: unknown };
  status?: number;
  contentType?: string | string[] | null;
  headers?: Record<string, string>;
  redirect?: { status: number; location?: string; cookie?: string };
  /** Further paths and their pages. */
  more?: Record<string, string>;
  /** What the site answers when the source is read again. */
  then?: { page: string; status?: number; contentType?: string | string[] | null };
  must?: (string | string[])[];
  mustNot?: string[];
  order?: (string | string[])[];
  count?: [string, number][] | Record<string, number>;
  atMost?: [string, number][] | Record<string, number>;
  /** Row, column and value of a table. */
  cells?: [string, string, string][];
  /** The most lines between a head and its cell. */
  within?: number;
  title?: string;
  fails?: true | string;
}

export const readFacts = (): Fact[] => {
  const read = JSON.parse(readFileSync(inCorpus('facts', 'cases.json'), 'utf8')) as
    | Fact[]
    | { cases: Fact[] };
  return Array.isArray(read) ? read : read.cases;
};

export const factFile = (name: string): Buffer => readFileSync(inCorpus('facts', name));

interface FactSite {
  origin: string;
  /** From now on the page of `then` is served for this fact. */
  change(fact: Fact): void;
}

/** Serves the pages of all facts: each at its own `page`, with its status, headers and redirects. */
export async function factSite(t: Test, facts: readonly Fact[]): Promise<FactSite> {
  const changed = new Set<string>();
  const server = createServer((request, response) => {
    const path = decodeURI(request.url ?? '/');
    const fact = facts.find(
      (one) => path === `/${one.page}` || one.redirect?.location === path || one.more?.[path],
    );
    if (!fact?.page) return void response.writeHead(404).end();
    const other = fact.more?.[path];
    if (other) return send(response, {}, factFile(other));
    const { redirect } = fact;
    if (redirect?.cookie) {
      if (!request.headers.cookie?.includes(redirect.cookie))
        return void response
          .writeHead(redirect.status, {
            location: request.url ?? '/',
            'set-cookie': `${redirect.cookie}; Path=/`,
          })
          .end();
    } else if (redirect?.location && path !== redirect.location)
      return void response
        .writeHead(redirect.status, { location: Buffer.from(redirect.location).toString('latin1') })
        .end();
    if (fact.then && changed.has(fact.id)) return send(response, fact.then, factFile(fact.then.page));
    send(response, fact, factFile(fact.page));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    change: (fact) => void changed.add(fact.id),
  };
}

function send(
  response: ServerResponse,
  { status = 200, contentType = 'text/html; charset=utf-8', headers = {} }: Partial<Fact>,
  body: Buffer,
): void {
  const types = contentType === null ? [] : [contentType].flat();
  response.writeHead(status, [
    ...types.flatMap((type) => ['content-type', type]),
    ...Object.entries(headers).flat(),
    'content-length',
    String(body.length),
  ]);
  response.end(body);
}

const fold = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** What is wrong with the text of a fact; empty if nothing is. */
export function wrongIn(fact: Fact, text: string, title = ''): string[] {
  const all = fold(text);
  const wrong: string[] = [];
  const has = (part: string) => all.includes(fold(part));
  for (const must of fact.must ?? [])
    if (![must].flat().some(has)) wrong.push(`lacks ${JSON.stringify(must)}`);
  for (const part of fact.mustNot ?? []) if (has(part)) wrong.push(`has ${JSON.stringify(part)}`);
  let from = 0;
  for (const part of fact.order ?? []) {
    const ends = [part].flat().flatMap((one) => {
      const at = all.indexOf(fold(one), from);
      return at < 0 ? [] : [at + fold(one).length];
    });
    if (ends.length === 0) wrong.push(`lacks in this order ${JSON.stringify(part)}`);
    else from = Math.min(...ends);
  }
  const times = (part: string) => all.split(fold(part)).length - 1;
  for (const [part, count] of pairs(fact.count))
    if (times(part) < count) wrong.push(`has ${JSON.stringify(part)} ${times(part)} times, not ${count}`);
  for (const [part, count] of pairs(fact.atMost))
    if (times(part) > count) wrong.push(`has ${JSON.stringify(part)} ${times(part)} times, at most ${count}`);
  for (const cell of fact.cells ?? [])
    if (!hasCell(text, cell, fact.within)) wrong.push(`lacks the cell ${cell.join(' / ')}`);
  if (fact.title && !fold(title).includes(fold(fact.title)) && !has(fact.title))
    wrong.push(`lacks the title ${JSON.stringify(fact.title)}`);
  return wrong;
}

const pairs = (counts: Fact['count'] = []): [string, number][] =>
  Array.isArray(counts) ? counts : Object.entries(counts);

const cellsOf = (line: string): string[] => {
  const trimmed = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return trimmed.split('|').map(fold);
};

function hasCell(text: string, [row, column, value]: [string, string, string], within = Infinity): boolean {
  const lines = text.split('\n');
  const same = (a: string, b: string) => fold(a) === fold(b);
  return lines.some((line, at) => {
    const cells = cellsOf(line);
    if (line.includes(`${column}: ${value}`) && line.includes(row)) return true;
    if (!cells.some((cell) => same(cell, row))) return false;
    for (let above = at - 1; above >= 0 && at - above <= within; above--) {
      const head = lines[above] ?? '';
      if (head.trim() === '') return false;
      const heads = cellsOf(head);
      if (heads.some((one, place) => same(one, column) && same(cells[place] ?? '', value))) return true;
    }
    return false;
  });
}
