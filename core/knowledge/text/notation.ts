/** Whether a text uses Markdown syntax. In plain text, # is an ordinary character. */
export type Notation = 'markdown' | 'plain';

/** Returns the notation of a source's text, derived from its metadata. Other text is stored as Markdown. */
export const notationOf = ({ contentKind }: Readonly<Record<string, unknown>>): Notation =>
  contentKind === 'txt' || contentKind === 'text' ? 'plain' : 'markdown';
