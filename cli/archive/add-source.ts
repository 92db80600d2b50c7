import { answerIn } from '../../core/knowledge/text/qna-text.js';
import { limits } from '../../core/schemas/limits.js';
import { readMarkdown } from '../../reader/markdown-text.js';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { uploadFile } from '../upload-file.js';
import { type ArchivedSource, sha256Of } from './manifest.js';

/**
 * Adds a source, and verifies the text that is stored. Pages and files become texts, or files if their text is too long
 * for a text source.
 */
export async function addSource(api: Api, at: string, source: ArchivedSource, text: string): Promise<void> {
  const title = titleOf(source);
  const documentId = await stored(api, at, source, title, text);
  const content = await api.send<{ text: string }>('GET', `${at}/sources/${documentId}/content`);
  if (sha256Of(content.text) !== source.sha256)
    throw new CliError('ARCHIVE_INVALID', `The text of "${title}" was stored with another hash.`);
}

const titleOf = ({ title, entry }: ArchivedSource): string =>
  [...(title.trim() || entry)].slice(0, limits.sourceTitle.max).join('');

/** Returns the id of the new source. */
async function stored(
  api: Api,
  at: string,
  { sourceType, questions, externalId, url }: ArchivedSource,
  title: string,
  text: string,
): Promise<string> {
  const own = externalId ?? url;
  const label = own === null ? {} : { externalId: [...own].slice(0, limits.externalId.max).join('') };
  const bytes = Buffer.from(text);
  if (sourceType !== 'qna_entry' && bytes.length > limits.contentBytes)
    return uploadFile(api, at, { fileName: fileNameOf(title, sourceType, text), bytes, ...label });
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
  return documentId;
}

/** Pages and documents were read as Markdown. A text that begins like front matter would lose its beginning as Markdown. */
function fileNameOf(title: string, sourceType: ArchivedSource['sourceType'], text: string): string {
  const isPlain = sourceType === 'text_snippet' || /\.txt$/i.test(title) || readMarkdown(text).text !== text;
  const ending = isPlain ? '.txt' : '.md';
  return title.toLowerCase().endsWith(ending) ? title : title + ending;
}
