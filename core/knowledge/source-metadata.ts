import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { nullable, oneOf, unixSeconds } from '../schemas/shapes.js';
import { failureCodes } from '../tasks/failures.js';
import { fileKinds } from './file-types.js';

/*
 * `sourceMetadata` of each source type. The types, the response schemas and docs/source-metadata.md derive from it.
 * Clients see everything stored here (except page-validators.ts): no paths, no credentials, no parts of other
 * documents.
 */

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const yes = (description: string, example: boolean) => Type.Boolean({ description, examples: [example] });
const optional = Type.Optional;

const chunks = count('Stretches into which the stored text is cut for retrieval', 3);
const contentHash = text(
  'SHA-256 of the stored text, hexadecimal: changes with it and only with it',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
);

export const pageKinds = ['html', 'text', 'markdown', 'transcript'] as const;

/** Reported by a worker for a page or a video, in addition to its text. */
const pageFields = {
  language: optional(
    nullable(
      Type.String({
        description: 'BCP 47 tag that the page declares, else the response; null or absent when neither does',
        examples: ['en'],
      }),
    ),
  ),
  byline: optional(text('Who wrote it, when the page says so in its metadata', 'Ada Example')),
};

const transcriptFields = {
  captionsUrl: optional(
    text('Videos only: the caption track that was read', 'https://video.example/captions/en.vtt'),
  ),
  captionsAutomatic: optional(yes('Videos only: the captions were made by speech recognition', false)),
  cues: optional(count('Videos only: captions in the track; absent when the page holds the transcript', 412)),
};

/** Reported for a document file, whether uploaded or found on the web, in addition to its text. */
const fileFields = {
  charset: optional(text('Text files and pages: the encoding that was read', 'utf-8')),
  pages: optional(count('pdf only: pages of the document', 12)),
  unreadablePages: optional(
    text(
      'pdf only: pages that are left out, because their fonts do not say which letters they draw',
      '2-3, 7',
    ),
  ),
  sheets: optional(count('xlsx only: sheets of the workbook, hidden ones included', 4)),
  hiddenSheets: optional(count('xlsx only: how many of the sheets are hidden', 1)),
  slides: optional(count('pptx only: slides of the presentation', 20)),
  titleSource: optional(
    nullable(
      oneOf(['properties', 'heading', 'front-matter', 'slide'], {
        description: 'Files only: where the document names its title; null when it has none',
        examples: ['properties'],
      }),
    ),
  ),
};

const extractedFields = {
  chunks,
  truncated: yes('Not all is in the text: reading ended at a limit, or a part could not be read', false),
};

const lastFailure = optional(
  Type.Object(
    {
      code: oneOf(failureCodes),
      message: Type.String(),
      at: unixSeconds('When the task ended'),
    },
    {
      description:
        'Why the last renewal failed, while the content of before stays; gone with the next one that succeeds',
      examples: [
        {
          code: 'HTTP_NOT_FOUND',
          message: 'The page was not found (HTTP 404 or 410). Check the URL.',
          at: 1_790_000_000,
        },
      ],
    },
  ),
);

const described = <P extends TProperties>(properties: P, $id: string, description: string) =>
  Type.Object(properties, { $id, description });

const textSnippetMetadata = described(
  { bytes: count('UTF-8 bytes of the content', 1200), chunks, contentHash },
  'TextSnippetMetadata',
  'A text',
);

const qnaEntryMetadata = described(
  {
    questions: Type.Array(Type.String(), {
      description: 'The questions that are not blank, as they were sent',
      examples: [['Can I return it?']],
    }),
    bytes: count('UTF-8 bytes of questions and answer', 60),
    chunks,
    contentHash,
  },
  'QnaEntryMetadata',
  'Questions with their answer',
);

const webCrawlMetadata = described(
  {
    url: text('The URL that was submitted, in its normal form', 'https://docs.example/start'),
    finalUrl: text('Where it led, after redirects', 'https://docs.example/en/start'),
    status: Type.Integer({ description: 'HTTP status of the response that was read', examples: [200] }),
    contentType: optional(
      text('`Content-Type` of the response; absent when it had none', 'text/html; charset=utf-8'),
    ),
    contentKind: oneOf([...pageKinds, ...fileKinds], {
      description:
        'How the response was read: as a page, as captions of a video, or as a document of this type',
      examples: ['html'],
    }),
    bytes: count('Bytes of the body, after decompression; of the page itself for a video', 48_210),
    etag: optional(text('Validator of the response, kept to ask whether it has changed', '"33a64df5"')),
    lastModified: optional(
      text('Validator of the response, kept to ask whether it has changed', 'Wed, 21 Oct 2026 07:28:00 GMT'),
    ),
    ...pageFields,
    ...transcriptFields,
    ...fileFields,
    ...extractedFields,
    contentHash,
    lastFailure,
  },
  'WebCrawlMetadata',
  'A page, a document on the web, or the captions of a video',
);

const fileUploadMetadata = described(
  {
    fileName: text('Original name', 'terms.pdf'),
    contentType: text('Media type of what the file was read as', 'application/pdf'),
    contentKind: oneOf(fileKinds, {
      description: 'What the file was read as: its extension, which its content must confirm',
      examples: ['pdf'],
    }),
    bytes: count('Size of the uploaded object', 102_400),
    ...fileFields,
    ...extractedFields,
    contentHash,
  },
  'FileUploadMetadata',
  'An uploaded file',
);

/** By source type, in the order of the documentation. */
export const sourceMetadata = {
  text_snippet: textSnippetMetadata,
  qna_entry: qnaEntryMetadata,
  web_crawl: webCrawlMetadata,
  file_upload: fileUploadMetadata,
} as const;

export type SourceMetadata = {
  [T in keyof typeof sourceMetadata]: Static<(typeof sourceMetadata)[T]>;
};

/** Stored metadata; the hash has a column of its own. */
export type StoredMetadata<T extends keyof SourceMetadata> = Omit<SourceMetadata[T], 'contentHash'>;

/** Why a page could not be refreshed. */
export type LastFailure = NonNullable<SourceMetadata['web_crawl']['lastFailure']>;
