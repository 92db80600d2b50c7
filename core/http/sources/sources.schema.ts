import { type Static, Type } from '@sinclair/typebox';
import { fileExtensions } from '../../knowledge/sources/file-types.js';
import { sourceMetadata } from '../../knowledge/sources/source-metadata.js';
import { type SourceType, sourceTypeFacts, sourceTypes } from '../../knowledge/sources/source-types.js';
import { sourceOrders } from '../../ports/store/agents/agent-reads.js';
import { limits } from '../../schemas/limits.js';
import {
  listOf,
  nullable,
  oneOf,
  pageQuery,
  searchedText,
  someOf,
  unixSeconds,
  uuid,
} from '../../schemas/shapes.js';

const sourceOf = <T extends SourceType>(sourceType: T) =>
  Type.Object(
    {
      id: uuid('Document id'),
      title: Type.String(),
      sourceType: Type.Literal(sourceType),
      createdAt: nullable(unixSeconds('Creation')),
      lastCrawledAt: nullable(unixSeconds('Last successful crawl of a page')),
      sourceMetadata: sourceMetadata[sourceType],
    },
    { $id: sourceTypeFacts[sourceType].schema },
  );

type Source = { [T in SourceType]: Static<ReturnType<typeof sourceOf<T>>> }[SourceType];

export const sourceSchema = Type.Unsafe<Source>(
  Type.Union(sourceTypes.map(sourceOf), { $id: 'Source', discriminatedBy: 'sourceType' }),
);

export const sourceListSchema = listOf(sourceSchema, 'SourceList');

const { diffBytes } = limits.pageChanges;
export const sourceChangeListSchema = listOf(
  Type.Object(
    {
      at: unixSeconds('When the new text was stored'),
      added: Type.Integer({ minimum: 0, description: 'Number of added lines. Blank lines do not count' }),
      removed: Type.Integer({ minimum: 0, description: 'Number of removed lines' }),
      diff: Type.Array(
        Type.Object({
          op: oneOf(['+', '-'], { description: '`+`: added, `-`: removed' }),
          text: Type.String({ description: 'The line' }),
        }),
        { description: `The lines, cut off after ${diffBytes} bytes` },
      ),
    },
    { $id: 'SourceChange' },
  ),
  'SourceChangeList',
);

const sorts = sourceOrders.flatMap((order) => [order, `-${order}`] as const);

export const listSourcesQuery = Type.Object(
  {
    ...pageQuery,
    sourceType: Type.Optional(oneOf(sourceTypes, { description: 'Only sources of this type' })),
    q: Type.Optional(searchedText('title or URL')),
    sort: Type.Optional(
      oneOf(sorts, {
        default: '-createdAt',
        description: '`-` begins the reverse order. `size` is in bytes',
      }),
    ),
  },
  { $id: 'ListSourcesQuery' },
);

// The length is checked before trimming. A blank title counts as no title.
const title = Type.String({
  minLength: limits.sourceTitle.min,
  maxLength: limits.sourceTitle.max,
  notBlank: true,
});
const longText = (options: { description?: string } = {}) =>
  Type.String({ minLength: 1, maxUtf8Bytes: limits.contentBytes, notBlank: true, ...options });

const externalId = Type.Optional(
  Type.String({
    minLength: limits.externalId.min,
    maxLength: limits.externalId.max,
    description: 'Your own id for the source, shown in `sourceMetadata`. It does not have to be unique',
    examples: ['docs/returns.md'],
  }),
);

const questions = (options: { description?: string } = {}) =>
  Type.Array(Type.String({ maxLength: limits.questions.length }), {
    maxItems: limits.questions.max,
    someNotBlank: true,
    ...options,
  });

const uniqueQuery = (description: string, $id: string) =>
  Type.Object({ unique: Type.Optional(Type.Boolean({ description })) }, { $id });

export const addLessonQuery = uniqueQuery(
  'With `true`, nothing is stored if a source of the same type has the same content, under any title. That source is returned (200)',
  'AddSourceQuery',
);
export const registerFilesQuery = uniqueQuery(
  'With `true`, a file is not stored if another file of the agent has the same text. Its task then ends with the `documentId` of that file. The bytes of the new file count as storage until it has been read',
  'RegisterFilesQuery',
);

export const addTextBody = Type.Object({ title, content: longText(), externalId }, { $id: 'AddText' });

export const addQnaBody = Type.Object(
  { title, questions: questions(), answer: longText(), externalId },
  { $id: 'AddQna' },
);

export const reviseSourceBody = someOf(
  {
    title: Type.Optional(title),
    content: Type.Optional(longText({ description: 'New content of a text' })),
    questions: Type.Optional(questions({ description: 'New questions of a Q&A entry' })),
    answer: Type.Optional(longText({ description: 'New answer of a Q&A entry' })),
    externalId,
    schedule: Type.Optional(
      nullable(
        oneOf(['never'], {
          description: 'Pages only. `never`: not read by schedule, but by `retrain`. null: read by both',
        }),
      ),
    ),
  },
  { $id: 'ReviseSource' },
);

const urlLength = `Maximum ${limits.url.max} characters, before and after encoding.`;

export const addUrlBody = Type.Object(
  {
    url: Type.String({
      sourceUrl: true,
      description: `http or https URL of a public page; the scheme defaults to https. ${urlLength}`,
    }),
  },
  { $id: 'AddUrl' },
);

export const addSitemapBody = Type.Object(
  {
    url: Type.String({
      sourceUrl: true,
      description: `http or https URL of a sitemap; the scheme defaults to https. ${urlLength}`,
      examples: ['https://docs.acme.com/sitemap.xml'],
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: limits.sitemap.pages.min,
        maximum: limits.sitemap.pages.max,
        default: limits.sitemap.pages.default,
        description: 'Maximum number of pages to index',
      }),
    ),
  },
  { $id: 'AddSitemap' },
);

export const sitemapAccepted = Type.Object(
  {
    jobId: Type.String(),
    scope: Type.Object(
      {
        url: Type.String({ examples: ['https://docs.acme.com/sitemap.xml'] }),
        host: Type.String({
          description: 'Host whose pages are indexed, unless the sitemap redirects to another host',
          examples: ['docs.acme.com'],
        }),
        limit: Type.Integer({ minimum: 1, description: 'Maximum number of pages', examples: [500] }),
        maxSitemaps: Type.Integer({
          minimum: 1,
          description: 'Maximum number of sitemaps to read',
          examples: [20],
        }),
        maxDepth: Type.Integer({ minimum: 1, description: 'Maximum nesting of sitemaps', examples: [3] }),
      },
      { description: 'Limits of the job' },
    ),
  },
  { $id: 'SitemapAccepted' },
);

export const documentCreated = Type.Object({ documentId: uuid('Document id') }, { $id: 'DocumentCreated' });

export const urlAccepted = Type.Object(
  {
    jobId: Type.String(),
    isRetrain: Type.Boolean({ description: 'True if the URL was already indexed, and is retrained' }),
  },
  { $id: 'UrlAccepted' },
);

export const pageAccepted = Type.Object({ jobId: Type.String() }, { $id: 'PageAccepted' });

export const contentSchema = Type.Object(
  {
    documentId: uuid('Document id'),
    text: Type.String({ description: 'The text that is stored for retrieval' }),
  },
  { $id: 'Content' },
);

const fileName = Type.String({
  minLength: limits.fileName.min,
  maxLength: limits.fileName.max,
  format: 'file-name',
  notBlank: true,
  description: `Original name, ending in ${fileExtensions.join(', ')}`,
});

export const uploadUrlBody = Type.Object(
  { files: Type.Array(Type.Object({ fileName }), { minItems: 1, maxItems: limits.files.max }) },
  { $id: 'UploadUrlRequest' },
);

export const registerFilesBody = Type.Object(
  {
    files: Type.Array(
      Type.Object({ storagePath: Type.String({ minLength: 1, maxLength: 512 }), fileName, externalId }),
      { minItems: 1, maxItems: limits.files.max },
    ),
  },
  { $id: 'RegisterFiles' },
);

export const signedUploads = Type.Object(
  {
    files: Type.Array(
      Type.Object({
        fileName: Type.String(),
        storagePath: Type.String({ description: 'Send it unchanged to `registerFiles`' }),
        uploadUrl: Type.String({ description: 'PUT the bytes to this URL, with no header but Content-Type' }),
        token: Type.String(),
      }),
    ),
  },
  { $id: 'SignedUploads' },
);

export const filesAccepted = Type.Object(
  { jobId: Type.Integer(), fileCount: Type.Integer() },
  { $id: 'FilesAccepted' },
);
