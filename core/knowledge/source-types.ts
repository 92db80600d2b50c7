/**
 * The types of sources, as the API names them. Every list of them has this order, and search engines number
 * types by it, so a new one goes to the end. An agent has a column of this name for each, which counts its
 * documents: a new type needs a migration.
 */
export const sourceTypes = ['web_crawl', 'file_upload', 'text_snippet', 'qna_entry'] as const;

export type SourceType = (typeof sourceTypes)[number];

/** One value for each type. */
export const bySourceType = <T>(value: (type: SourceType) => T): Record<SourceType, T> =>
  Object.fromEntries(sourceTypes.map((type) => [type, value(type)])) as Record<SourceType, T>;
