import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { applyActions } from './apply.js';
import { type LocalFile, listFiles, type Unreadable } from './folder.js';
import { type Action, type Plan, planSync, type SyncedSource, syncedFile } from './plan.js';

interface ListedSource {
  id: string;
  sourceType: string;
  sourceMetadata: { externalId?: string };
}

export interface Synced {
  plan: Plan;
  files: readonly LocalFile[];
  /** Actions that succeeded. */
  done: Action[];
  failures: Unreadable[];
  /** Number of failed actions. Files that could not be read are not included. */
  refused: number;
}

/** Reads the sources that belong to the folder. Waits for uploads of an earlier sync that was killed. */
async function readSources(api: Api, at: string, name: string): Promise<SyncedSource[]> {
  for (const status of ['pending', 'running'])
    for await (const { id } of api.list<{ id: string }>(`${at}/jobs?type=index_files&status=${status}`)) {
      let job: { finishedAt: number | null };
      do job = await api.send('GET', `${at}/jobs/${id}?wait=30`);
      while (job.finishedAt === null);
    }
  const sources: SyncedSource[] = [];
  for await (const { id, sourceType, sourceMetadata } of api.list<ListedSource>(`${at}/sources`)) {
    const file = syncedFile(name, sourceMetadata.externalId);
    if (file && (sourceType === 'text_snippet' || sourceType === 'file_upload'))
      sources.push({ ...file, id, isText: sourceType === 'text_snippet' });
  }
  return sources;
}

/**
 * Makes the agent's sources for a folder match its files. With `dryRun`, only plans the actions. Throws FILE_INVALID if
 * this would delete all sources of a folder without files.
 */
export async function syncFolder(
  api: Api,
  {
    at,
    folder,
    name,
    deletes,
    allowEmpty,
    dryRun,
    onProgress,
    signal,
  }: {
    /** Path of the agent in the API. */
    at: string;
    folder: string;
    name: string;
    deletes: boolean;
    /** True if an empty folder may delete all of its sources. */
    allowEmpty: boolean;
    dryRun: boolean;
    onProgress: (done: number, total: number) => void;
    signal: AbortSignal;
  },
): Promise<Synced> {
  const { files, empty, unreadable } = listFiles(folder);
  const sources = await readSources(api, at, name);
  const skipped = [...empty, ...unreadable.map(({ path }) => path)];
  const plan = planSync(files, sources, { deletes, skipped });
  const { actions } = plan;
  if (dryRun) return { plan, files, done: [], failures: unreadable, refused: 0 };
  if (files.length === 0 && actions.length > 0 && !allowEmpty)
    throw new CliError(
      'FILE_INVALID',
      `The folder ${folder} has no documents, so all ${actions.length} of its sources would be deleted. Add --allow-empty to delete them.`,
      { advises: true },
    );
  const onDone = (done: number) => onProgress(done, actions.length);
  const { done, failures } = await applyActions(actions, { api, at, folder, name, onDone, signal });
  return { plan, files, done, failures: [...unreadable, ...failures], refused: failures.length };
}
