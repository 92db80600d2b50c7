import { answerIn } from '../../core/knowledge/text/qna-text.js';
import { limits } from '../../core/schemas/limits.js';
import { readMarkdown } from '../../reader/markdown-text.js';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { uploadFile } from '../upload-file.js';
import { type ArchivedSource, sha256Of } from './manifest.js';

/**
 * Adds a source and verifies the stored text. Pages and documents become texts, or files if they are too long for a
 * text source.
 */
export async function addSource(api: Api, at: string, source: ArchivedSource, text: string): Promise<void> {
  const title = titleOf(source);
  const documentId = await stored(api, at, source, title, text);
  const content = await api.send<{ text: string }>('GET', `${at}/sources/${documentId}/content`);
  if (sha256Of(content.text) !== source.sha256)
    throw new CliError(
      'ARCHIVE_INVALID',
      `The stored text of "${title}" differs from the text in the archive.`,
    );
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

/**
 * Returns a name with the extension that preserves the text. Pages and documents were read as Markdown, but a text that
 * begins like front matter would lose its beginning there.
 */
function fileNameOf(title: string, sourceType: ArchivedSource['sourceType'], text: string): string {
  const isPlain = sourceType === 'text_snippet' || /\.txt$/i.test(title) || readMarkdown(text).text !== text;
  const ending = isPlain ? '.txt' : '.md';
  return title.toLowerCase().endsWith(ending) ? title : title + ending;
}
