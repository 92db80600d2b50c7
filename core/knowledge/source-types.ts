/**
 * Source types in the API. Append new ones, because lists keep this order and search engines number the types by
 * it. Each type has a column of this name that counts an agent's documents, so a new type needs a migration.
 */
export const sourceTypes = ['web_crawl', 'file_upload', 'text_snippet', 'qna_entry'] as const;

export type SourceType = (typeof sourceTypes)[number];

export const bySourceType = <T>(value: (type: SourceType) => T): Record<SourceType, T> =>
  Object.fromEntries(sourceTypes.map((type) => [type, value(type)])) as Record<SourceType, T>;
