import type { LocalFile } from './folder.js';

/** A source that an earlier sync has created. */
export interface SyncedSource {
  id: string;
  path: string;
  hash: string;
  isText: boolean;
}

export type Action =
  | { kind: 'add'; file: LocalFile }
  /** The path is the same, the content is new. */
  | { kind: 'update'; file: LocalFile; source: SyncedSource }
  /** The content is the same, the path is new. */
  | { kind: 'move'; file: LocalFile; source: SyncedSource }
  | { kind: 'delete'; source: SyncedSource };

export interface Plan {
  actions: Action[];
  unchanged: number;
  /** Sources that are kept although their file is missing. */
  kept: SyncedSource[];
}

/** Returns the prefix of the external ids of a folder's sources. */
const prefixOf = (name: string): string => `sync:${name}:`;

export const externalIdOf = (name: string, { path, hash }: Pick<LocalFile, 'path' | 'hash'>): string =>
  `${prefixOf(name)}${hash}:${path}`;

/** Parses the external id of a source. Returns null if the source does not belong to the folder. */
export function syncedFile(
  name: string,
  externalId: string | undefined,
): Pick<LocalFile, 'path' | 'hash'> | null {
  if (!externalId?.startsWith(prefixOf(name))) return null;
  const [, hash, path] = /^([0-9a-f]{32}):(.+)$/s.exec(externalId.slice(prefixOf(name).length)) ?? [];
  return hash === undefined || path === undefined ? null : { hash, path };
}

/**
 * Plans the actions that make the sources match the files. Sources whose file is missing are deleted only with
 * `deletes`; a second source of a file is always deleted. Sources of `skipped` paths are kept. A skipped path that ends
 * with a slash denotes a folder with its contents.
 */
export function planSync(
  files: readonly LocalFile[],
  sources: readonly SyncedSource[],
  { deletes, skipped }: { deletes: boolean; skipped: readonly string[] },
): Plan {
  const actions: Action[] = [];
  const byPath = new Map<string, SyncedSource[]>();
  for (const source of sources) byPath.set(source.path, [...(byPath.get(source.path) ?? []), source]);
  const added: LocalFile[] = [];
  let unchanged = 0;
  for (const file of files) {
    const known = byPath.get(file.path) ?? [];
    byPath.delete(file.path);
    const same = known.find(({ hash }) => hash === file.hash);
    const current = same ?? known[0];
    if (same) unchanged += 1;
    else if (current) actions.push({ kind: 'update', file, source: current });
    else added.push(file);
    for (const source of known) if (source !== current) actions.push({ kind: 'delete', source });
  }
  for (const path of skipped) byPath.delete(path);
  const folders = skipped.filter((path) => path.endsWith('/'));
  const isSkipped = (path: string): boolean => folders.some((folder) => path.startsWith(folder));
  const orphans = [...byPath.values()].flat().filter(({ path }) => !isSkipped(path));
  for (const file of added) {
    const at = orphans.findIndex(({ hash }) => hash === file.hash);
    const [source] = at === -1 ? [] : orphans.splice(at, 1);
    actions.push(source ? { kind: 'move', file, source } : { kind: 'add', file });
  }
  if (deletes) for (const source of orphans) actions.push({ kind: 'delete', source });
  return { actions, unchanged, kept: deletes ? [] : orphans };
}
