import { v7 as uuidv7 } from 'uuid';
import { load } from './http-load.js';
import type { Installation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';

const LIMIT = 20;
const CLIENTS = 16;

/** An agent with so many sources, written straight into the database: what a list costs does not depend on how they came. */
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

/** Paths of the first, the middle and the last page, of a list by type, and of the answer that counts documents. */
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
    ['first page of one type', `${path(null, LIMIT)}&sourceType=text_snippet`],
    ['training status', `/agents/${agentId}/train`],
  ];
}

/** Lists of one agent that grows: what a page costs must not grow with it. */
export async function listRows(
  installation: Installation,
  { rounds, ms, sizes }: Lengths,
  progress: Progress,
): Promise<Line[]> {
  const targets: { line: Line; p99: number[]; path: string }[] = [];
  for (const size of sizes) {
    const who = `${size.toLocaleString('en-US')} sources`;
    progress(who);
    const agentId = await agentWith(installation, size);
    for (const [what, path] of await pathsOf(installation, agentId, size)) {
      const p99: number[] = [];
      const line = { what, unit: 'ms each', who, values: [], p99, note: `${CLIENTS} clients` };
      targets.push({ line, p99, path });
    }
  }
  progress('rounds');
  const { cadre, key } = installation;
  // A round before the first one warms up. Sizes of one page follow each other.
  const inOrder = targets.sort((a, b) => a.line.what.localeCompare(b.line.what));
  for (let round = -1; round < rounds; round += 1)
    for (const { line, p99, path } of inOrder) {
      const request = { method: 'GET', path: `/api/v2${path}` };
      const result = await load({
        baseUrl: cadre.baseUrl,
        key,
        connections: CLIENTS,
        ms,
        status: 200,
        next: () => request,
      });
      if (result.failed > 0) throw new Error(`${result.failed} of ${line.what} with ${line.who} failed`);
      if (round < 0) continue;
      line.values.push((CLIENTS * 1000) / result.perSecond);
      p99.push(result.p99);
    }
  return inOrder.map(({ line }) => line);
}
