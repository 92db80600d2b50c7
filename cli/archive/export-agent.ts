import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { apartGroups, localSettings } from '../../core/agent-settings/groups.js';
import { type AgentProfile, profileOf } from '../../core/schemas/agent-profile.js';
import type { JsonObject } from '../../core/schemas/json.js';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import {
  type ArchivedPicture,
  type ArchivedSource,
  MANIFEST,
  type Manifest,
  MOST_SOURCES,
  sha256Of,
} from './manifest.js';
import { ownPictures } from './own-pictures.js';

interface ListedSource {
  id: string;
  title: string;
  sourceType: ArchivedSource['sourceType'];
  sourceMetadata: { url?: string; questions?: string[]; externalId?: string };
}

/** Writes an archive of the agent to `to`. Returns the number of sources. */
export async function exportAgent(
  api: Api,
  at: string,
  to: Writable,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const { settings, ...agent } = await api.send<AgentProfile & { id: string; settings: JsonObject }>(
    'GET',
    at,
  );
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream as Readable, to, { end: to !== process.stdout });
  // The promise is awaited at the end. Until then, its rejection must not end the process.
  written.catch(() => {});
  const listed: ListedSource[] = [];
  for await (const source of api.list<ListedSource>(`${at}/sources`)) listed.push(source);
  if (listed.length > MOST_SOURCES)
    throw new CliError(
      'API_REFUSED',
      `The agent has more than ${MOST_SOURCES} sources, which no archive can hold.`,
    );
  // Oldest first, so that the copy lists its sources in the same order.
  listed.reverse();
  const sources: ArchivedSource[] = [];
  for (const { id, title, sourceType, sourceMetadata } of listed) {
    const text = await textOf(api, `${at}/sources/${id}`);
    if (text === null || text.trim() === '') continue;
    const bytes = Buffer.from(text);
    const entry = `sources/${String(sources.length + 1).padStart(6, '0')}.txt`;
    const { url: page = null, questions = [], externalId = null } = sourceMetadata;
    sources.push({ entry, sha256: sha256Of(bytes), sourceType, title, url: page, questions, externalId });
    zip.addBuffer(bytes, entry);
    onProgress(sources.length, listed.length);
  }
  const pictures: ArchivedPicture[] = [];
  for (const { field, bytes } of await ownPictures(api, { agentId: agent.id, settings })) {
    const entry = `pictures/${String(pictures.length + 1).padStart(6, '0')}`;
    pictures.push({ entry, sha256: sha256Of(bytes), field });
    zip.addBuffer(bytes, entry);
  }
  const evaluationQuestions: Record<string, unknown>[] = [];
  for await (const { question } of api.list<{ question: Record<string, unknown> }>(
    `${at}/evaluation-questions`,
  ))
    evaluationQuestions.unshift(question);
  const kept = Object.fromEntries(Object.entries(settings).filter(([key]) => !(key in localSettings)));
  for (const { key = '', path, toBody } of apartGroups) {
    const group = toBody({ [key]: await api.send<JsonObject>('GET', `${at}/settings/${path}`) });
    if (Object.keys(group).length > 0) kept[key] = group;
  }
  const manifest: Manifest = {
    format: 'cadre-agent',
    version: 1,
    agent: profileOf(agent),
    settings: kept,
    pictures,
    sources,
    evaluationQuestions,
  };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 1)), MANIFEST);
  zip.end();
  await written.catch((error: Error) => {
    throw new CliError('FILE_INVALID', `The archive cannot be written: ${error.message}.`);
  });
  return sources.length;
}

/** Returns null if the source has been deleted in the meantime. */
async function textOf(api: Api, path: string): Promise<string | null> {
  try {
    return (await api.send<{ text: string }>('GET', `${path}/content`)).text;
  } catch (error) {
    if (error instanceof CliError && error.apiCode === 'RESOURCE_DOCUMENT_NOT_FOUND') return null;
    throw error;
  }
}
