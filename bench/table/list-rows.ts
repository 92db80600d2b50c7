import { v7 as uuidv7 } from 'uuid';
import { shown } from './figures.js';
import { load } from './http-load.js';
import type { Installation } from './installation.js';
import type { Line } from './report.js';

const LIMIT = 20;

/** An agent with so many sources, written past the service: what a list costs does not depend on how they came. */
async function agentWith({ api, database, workspaceId }: Installation, sources: number): Promise<string> {
  const { id: agentId } = await api.call<{ id: string }>('POST', '/agents', { name: `with ${sources}` });
  for (let at = 0; at < sources; at += 1000) {
    const rows = Array.from({ length: Math.min(1000, sources - at) }, (_, n) => [
      uuidv7(),
      agentId,
      workspaceId,
      'text_snippet',
      `Text ${at + n}`,
      100,
      'hash',
      '{"chunks":1}',
      1_800_000_000,
    ]);
    await database.query(
      'INSERT INTO documents (id, agent_id, workspace_id, source_type, title, bytes, content_hash, metadata, created_at) VALUES ?',
      [rows],
    );
  }
  await database.query('UPDATE agents SET text_snippet = ?, version = version + 1 WHERE id = ?', [
    sources,
    agentId,
  ]);
  return agentId;
}

interface Page {
  pagination: { cursor: string | null; total: number };
}

/** Paths of the first, the middle and the last page. */
async function pathsOf({ api }: Installation, agentId: string, sources: number): Promise<[string, string][]> {
  const path = (cursor: string | null, limit: number) =>
    `/agents/${agentId}/sources?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
  const big = 100;
  const found = new Map<number, string>();
  const wanted = [Math.floor(sources / 2 / big), Math.floor((sources - LIMIT) / big)];
  let cursor: string | null = null;
  for (let n = 1; n <= Math.max(...wanted); n += 1) {
    const { pagination }: Page = await api.call<Page>('GET', path(cursor, big));
    if (pagination.total !== sources)
      throw new Error(`the list says that there are ${pagination.total} sources`);
    cursor = pagination.cursor;
    if (wanted.includes(n)) found.set(n, path(cursor, LIMIT));
  }
  return [
    ['first page', path(null, LIMIT)],
    ['middle page', found.get(wanted[0] ?? 0) ?? ''],
    ['last page', found.get(wanted[1] ?? 0) ?? ''],
  ];
}

/** Lists of one agent that grows: what a page costs must not grow with it. */
export async function listRows(
  installation: Installation,
  { rounds, ms, sizes }: { rounds: number; ms: number; sizes: readonly number[] },
  progress: (text: string) => void,
): Promise<Line[]> {
  const lines: Line[] = [];
  const targets: { line: Line; path: string; p99: number[] }[] = [];
  for (const size of sizes) {
    progress(`a list of ${shown(size)} sources`);
    const agentId = await agentWith(installation, size);
    for (const [name, path] of await pathsOf(installation, agentId, size)) {
      const what = `GET list of 20, ${name}, of an agent with so many sources`;
      const line: Line = { what, unit: 'per second', who: shown(size), values: [] };
      lines.push(line);
      targets.push({ line, path, p99: [] });
    }
  }
  const { cadre, key } = installation;
  for (let round = -1; round < rounds; round += 1)
    for (const { line, path, p99 } of targets) {
      const request = { method: 'GET', path: `/api/v2${path}` };
      const result = await load({
        baseUrl: cadre.baseUrl,
        key,
        connections: 16,
        ms,
        status: 200,
        next: () => request,
      });
      if (round < 0) continue;
      line.values.push(result.perSecond);
      p99.push(result.p99);
      line.note = `p99 ${shown(Math.max(...p99))} ms${result.failed > 0 ? `, ${result.failed} failed` : ''}`;
    }
  return lines.sort((a, b) => a.what.localeCompare(b.what));
}
