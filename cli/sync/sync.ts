import type { Api } from '../api.js';
import { applyActions, type SyncFailure } from './apply.js';
import { type LocalFile, listFiles } from './folder.js';
import { type Plan, planSync, type SyncedSource, syncedFile } from './plan.js';

interface ListedSource {
  id: string;
  sourceType: string;
  sourceMetadata: { externalId?: string };
}

export interface Synced {
  plan: Plan;
  files: readonly LocalFile[];
  failures: SyncFailure[];
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
    if (file) sources.push({ ...file, id, isText: sourceType === 'text_snippet' });
  }
  return sources;
}

/** Makes the sources of an agent that belong to a folder equal to its files. With `dryRun`, only plans it. */
export async function syncFolder(
  api: Api,
  {
    at,
    folder,
    name,
    deletes,
    dryRun,
    onProgress,
    signal,
  }: {
    /** Path of the agent in the API. */
    at: string;
    folder: string;
    name: string;
    deletes: boolean;
    dryRun: boolean;
    onProgress: (done: number, total: number) => void;
    signal: AbortSignal;
  },
): Promise<Synced> {
  const files = listFiles(folder);
  const plan = planSync(files, await readSources(api, at, name), { deletes });
  const { actions } = plan;
  if (dryRun) return { plan, files, failures: [] };
  const onDone = (done: number) => onProgress(done, actions.length);
  const failures = await applyActions(actions, { api, at, folder, name, onDone, signal });
  return { plan, files, failures };
}
