import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../core/ports/log.port.js';
import { type ToolSchemas, ToolSchemasBusy } from '../../core/ports/tool-schemas.port.js';
import { type FairThreads, fairThreads, isBusy } from './fair-threads.js';
import type { checkSchemas, SchemaTask } from './schema.thread.js';

/** Timeout in milliseconds. The schemas of a request take at most some tenths of a second. */
const LIMIT_MS = 10_000;
/** Number of cached results. Every message of a client repeats the same tools. */
const KNOWN = 10_000;

const hashOf = (schema: string): string => createHash('sha256').update(schema).digest('base64');

/**
 * Returns a checker of tool schemas that runs in a thread, because compiling a schema of 16 KiB takes hundreds of
 * milliseconds.
 */
export function startSchemaThreads(log: Log): ToolSchemas & { close(): Promise<void> } {
  const known = new LRUCache<string, { problem: string | null }>({ max: KNOWN });
  const threads: FairThreads<SchemaTask, ReturnType<typeof checkSchemas>> = fairThreads({
    module: 'schema.thread',
    name: 'checkSchemas',
    threads: 1,
    limitMs: LIMIT_MS,
    log,
  });
  const run: typeof threads.run = (task, owner) =>
    threads.run(task, owner).catch((error: unknown) => {
      throw isBusy(error) ? new ToolSchemasBusy() : error;
    });

  return {
    async schemaProblems(schemas, owner) {
      const hashes = schemas.map(hashOf);
      const unknown = schemas.filter((_, n) => !known.has(hashes[n] as string));
      const found = unknown.length > 0 ? await run({ schemas: unknown }, owner) : [];
      for (const [n, schema] of unknown.entries()) known.set(hashOf(schema), { problem: found[n] ?? null });
      return hashes.map((hash) => known.get(hash)?.problem ?? null);
    },
    argumentProblems: async (schema, input, owner) =>
      (await run({ schemas: [JSON.stringify(schema)], input }, owner)) as string[],
    close: () => threads.close(),
  };
}
