/** How a text is written: with the marks of Markdown, or without: there a # is a sign like any other. */
export type Notation = 'markdown' | 'plain';

/** Of a source, told by its metadata: what was read as plain text is stored as it was written. */
export const notationOf = ({ contentKind }: Readonly<Record<string, unknown>>): Notation =>
  contentKind === 'txt' || contentKind === 'text' ? 'plain' : 'markdown';
