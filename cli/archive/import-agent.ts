import { settingsGroups } from '../../core/agent-settings/groups.js';
import { type PictureField, withPictureValues } from '../../core/agent-settings/picture-fields.js';
import { profileOf } from '../../core/schemas/agent-profile.js';
import type { JsonObject } from '../../core/schemas/json.js';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { addSource } from './add-source.js';
import { type Manifest, sha256Of } from './manifest.js';
import type { ReadArchive } from './read-archive.js';

/** Error codes of settings that the plan does not allow. These settings are left out. */
const BY_PLAN = new Set(['CHAT_MODEL_NOT_ALLOWED', 'SUBSCRIPTION_API_RESTRICTED_PLAN']);

export interface Imported {
  id: string;
  sources: number;
  /** Settings groups that the workspace's plan does not allow. */
  leftOut: string[];
  /** Ids of agents left behind by incomplete imports of the same archive. */
  unfinished: string[];
}

/** Questions per request, because a request cannot hold all questions of an agent. */
const QUESTIONS_AT_ONCE = 5;

/** Returns the name of an agent whose import is not complete. The same archive always gives the same name. */
const provisionalName = (manifest: Manifest): string =>
  `Import in progress (${sha256Of(JSON.stringify(manifest)).slice(0, 12)})`;

async function agentsNamed(api: Api, wanted: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { id, name } of api.list<{ id: string; name: string }>('/agents'))
    if (name === wanted) found.push(id);
  return found;
}

/** Stores the pictures of the archive as those of the new agent. Returns the settings with their URLs. */
async function withStoredPictures(api: Api, at: string, archive: ReadArchive): Promise<JsonObject> {
  const urls: Partial<Record<PictureField, string>> = {};
  for (const picture of archive.manifest.pictures ?? []) {
    const data = (await archive.bytes(picture)).toString('base64');
    urls[picture.field] = (await api.send<{ url: string }>('POST', `${at}/pictures`, { data })).url;
  }
  return withPictureValues(archive.manifest.settings as JsonObject, urls);
}

/**
 * Creates an agent from an archive. Deletes the agent again if anything fails. The agent gets its final name when it is
 * complete.
 */
export async function importAgent(
  api: Api,
  archive: ReadArchive,
  onProgress: (done: number, total: number) => void,
): Promise<Imported> {
  const { agent, sources, evaluationQuestions } = archive.manifest;
  const provisional = provisionalName(archive.manifest);
  const unfinished = await agentsNamed(api, provisional);
  const { id } = await api.send<{ id: string }>('POST', '/agents', { name: provisional });
  const at = `/agents/${id}`;
  try {
    const leftOut: string[] = [];
    const settings = await withStoredPictures(api, at, archive);
    for (const group of settingsGroups) {
      const body = group.toBody(settings);
      if (Object.keys(body).length === 0) continue;
      try {
        await api.send('PATCH', `${at}/settings/${group.path}`, body);
      } catch (error) {
        if (!(error instanceof CliError) || !BY_PLAN.has(error.apiCode ?? '')) throw error;
        leftOut.push(group.name);
      }
    }
    for (const [n, source] of sources.entries()) {
      await addSource(api, at, source, await archive.text(source));
      onProgress(n + 1, sources.length);
    }
    for (let n = 0; n < evaluationQuestions.length; n += QUESTIONS_AT_ONCE)
      await api.send('POST', `${at}/evaluation-questions`, {
        questions: evaluationQuestions.slice(n, n + QUESTIONS_AT_ONCE),
      });
    await api.send('PATCH', at, profileOf(agent));
    return { id, sources: sources.length, leftOut, unfinished };
  } catch (error) {
    const isLeft = await api.send('DELETE', at).then(
      () => false,
      () => true,
    );
    if (isLeft && error instanceof CliError)
      error.message += ` The agent ${id} could not be deleted. Delete it.`;
    throw error;
  }
}
