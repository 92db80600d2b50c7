import { settingsGroups } from '../../core/agent-settings/groups.js';
import { answerIn } from '../../core/knowledge/qna-text.js';
import { limits } from '../../core/schemas/limits.js';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { type ArchivedSource, sha256Of } from './manifest.js';
import type { ReadArchive } from './read-archive.js';

/** Refusals by the plan: the setting is left out. */
const BY_PLAN = new Set(['CHAT_MODEL_NOT_ALLOWED', 'SUBSCRIPTION_API_RESTRICTED_PLAN']);

export interface Imported {
  id: string;
  sources: number;
  /** What the plan of the workspace does not allow. */
  leftOut: string[];
}

type Stored = Record<string, unknown>;

/** Converts stored settings to the body of the group's PATCH. */
function bodyOf({ path, key, body }: (typeof settingsGroups)[number], settings: Stored): Stored {
  const flat = path === 'design' ? flatDesign(settings) : (settings[key ?? ''] ?? {});
  return Object.fromEntries(Object.entries(flat).filter(([field]) => field in body.properties));
}

function flatDesign({ title, language, position, branding = {}, conversation = {} }: Stored): Stored {
  const { defaultPrompts = {}, ...rest } = conversation as { defaultPrompts?: Stored };
  const flat = { title, language, position, ...(branding as Stored), ...rest, ...defaultPrompts };
  return Object.fromEntries(Object.entries(flat).filter(([, value]) => value !== undefined));
}

/**
 * Creates an agent from an archive. If anything fails, the agent is deleted again. It has its name only when it is
 * complete.
 */
export async function importAgent(
  api: Api,
  archive: ReadArchive,
  onProgress: (done: number, total: number) => void,
): Promise<Imported> {
  const { agent, sources, settings, evaluationQuestions } = archive.manifest;
  const { id } = await api.send<{ id: string }>('POST', '/agents', { name: 'Import in progress' });
  const at = `/agents/${id}`;
  try {
    const leftOut: string[] = [];
    for (const group of settingsGroups) {
      const body = bodyOf(group, settings);
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
    if (evaluationQuestions.length > 0)
      await api.send('POST', `${at}/evaluation-questions`, { questions: evaluationQuestions });
    await api.send('PATCH', at, { name: agent.name, ...(agent.url ? { url: agent.url } : {}) });
    return { id, sources: sources.length, leftOut };
  } catch (error) {
    await api.send('DELETE', at);
    throw error;
  }
}

/** Adds a source, and verifies the text that is stored. Pages and files become texts. */
async function addSource(api: Api, at: string, source: ArchivedSource, text: string): Promise<void> {
  const { sourceType, questions, externalId, url, title: full, sha256 } = source;
  const title = [...(full.trim() || source.entry)].slice(0, limits.sourceTitle.max).join('');
  const own = externalId ?? url;
  const label = own === null ? {} : { externalId: [...own].slice(0, limits.externalId.max).join('') };
  const { documentId } =
    sourceType === 'qna_entry'
      ? await api.send<{ documentId: string }>('POST', `${at}/sources/qna`, {
          title,
          questions,
          answer: answerIn(text, questions),
          ...label,
        })
      : await api.send<{ documentId: string }>('POST', `${at}/sources/text`, {
          title,
          content: text,
          ...label,
        });
  const stored = await api.send<{ text: string }>('GET', `${at}/sources/${documentId}/content`);
  if (sha256Of(stored.text) !== sha256)
    throw new CliError('ARCHIVE_INVALID', `The text of "${title}" was stored with another hash.`);
}
