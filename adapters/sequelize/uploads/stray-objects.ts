import type { Connection } from '../database/connection.js';

const ofAgent = /^agents\/([0-9a-f-]{36})\//;
const ofTask = /^results\/([0-9a-f-]{36})\//;

/** Returns the paths without a row. Rows are written before their objects, so none of these paths can get one. */
export async function strayObjects(read: Connection['read'], paths: string[]): Promise<string[]> {
  const marks = (values: unknown[]) => values.map(() => '?').join(', ');
  const found = async (sql: (marks: string) => string, values: unknown[]): Promise<string[]> =>
    values.length === 0 ? [] : (await read(sql(marks(values)), values)).map((row) => String(row.found));

  const uploads = paths.filter((path) => ofAgent.test(path));
  const results = paths.filter((path) => ofTask.test(path));
  const known = new Set(
    await found((of) => `SELECT path AS found FROM uploads WHERE path IN (${of})`, uploads),
  );
  // A registration turns an upload into a document in one commit. Uploads are read first, so each object is found as
  // one or the other.
  for (const agentId of new Set(uploads.map((path) => ofAgent.exec(path)?.[1]))) {
    const own = uploads.filter((path) => ofAgent.exec(path)?.[1] === agentId);
    const rows = await read(
      `SELECT storage_path AS found FROM documents WHERE agent_id = ? AND source_type = 'file_upload' AND storage_path IN (${marks(own)})
        UNION ALL SELECT storage_path AS found FROM pictures WHERE agent_id = ? AND storage_path IN (${marks(own)})`,
      [agentId, ...own, agentId, ...own],
    );
    for (const row of rows) known.add(String(row.found));
  }
  const open = new Set(
    await found(
      (of) =>
        `SELECT id AS found FROM tasks WHERE id IN (${of}) AND status IN ('pending', 'queued', 'running')`,
      [...new Set(results.map((path) => ofTask.exec(path)?.[1]))],
    ),
  );
  for (const path of results) if (open.has(ofTask.exec(path)?.[1] ?? '')) known.add(path);
  const rest = [...uploads, ...results].filter((path) => !known.has(path));
  const discarded = new Set(
    await found((of) => `SELECT path AS found FROM discards WHERE path IN (${of})`, rest),
  );
  return rest.filter((path) => !discarded.has(path));
}
