/** Whether a text uses Markdown syntax. In plain text, # is an ordinary character. */
export type Notation = 'markdown' | 'plain';

/** Reads the notation from a source's metadata. Plain text is stored unchanged. */
export const notationOf = ({ contentKind }: Readonly<Record<string, unknown>>): Notation =>
  contentKind === 'txt' || contentKind === 'text' ? 'plain' : 'markdown';
