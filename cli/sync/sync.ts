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
  /** What was done of the plan. */
  done: Action[];
  failures: Unreadable[];
  /** How many of the failures are actions, and not files that could not be read. */
  refused: number;
}

/** Reads the sources that belong to the folder. An earlier sync that was killed may have uploads in progress. */
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
 * Makes the sources of an agent that belong to a folder equal to its files. With `dryRun`, only plans it. Throws
 * FILE_INVALID if this would delete the sources of a folder without files.
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
    /** Whether a folder without files may delete all of its sources. */
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
      `The folder ${folder} has no documents, so all ${actions.length} sources of it would be deleted. If that is right, add --allow-empty.`,
      { advises: true },
    );
  const onDone = (done: number) => onProgress(done, actions.length);
  const { done, failures } = await applyActions(actions, { api, at, folder, name, onDone, signal });
  return { plan, files, done, failures: [...unreadable, ...failures], refused: failures.length };
}
