interface SourceTypeFacts {
  /** Label in the console. */
  label: string;
  /** Name of the schema in OpenAPI. It never changes, because generated clients use it. */
  schema: string;
  /** Whether the content is fetched from the document's URL, so that the source can be retrained. */
  isFetched: boolean;
}

/**
 * Source types in the API. Append new types at the end: the order is that of lists in responses, and search engines
 * number the types by it. A new type needs a migration, because each type has a column of its name that counts an
 * agent's documents.
 */
export const sourceTypeFacts = {
  web_crawl: { label: 'Page', schema: 'PageSource', isFetched: true },
  file_upload: { label: 'File', schema: 'FileSource', isFetched: false },
  text_snippet: { label: 'Text', schema: 'TextSource', isFetched: false },
  qna_entry: { label: 'Q&A', schema: 'QnaSource', isFetched: false },
} as const satisfies Record<string, SourceTypeFacts>;

export type SourceType = keyof typeof sourceTypeFacts;

export const sourceTypes = Object.keys(sourceTypeFacts) as readonly SourceType[];

export const fetchedTypes = sourceTypes.filter((type) => sourceTypeFacts[type].isFetched);

export const bySourceType = <T>(value: (type: SourceType) => T): Record<SourceType, T> =>
  Object.fromEntries(sourceTypes.map((type) => [type, value(type)])) as Record<SourceType, T>;
