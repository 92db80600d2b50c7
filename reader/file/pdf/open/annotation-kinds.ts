/** Names of annotations with a remark about the page (ISO 32000-1, table 169). */
export const remarks: Readonly<Record<string, string>> = {
  Text: 'Note',
  Stamp: 'Stamp',
  Highlight: 'Comment',
  Underline: 'Comment',
  Squiggly: 'Comment',
  StrikeOut: 'Comment',
  Caret: 'Comment',
  Square: 'Comment',
  Circle: 'Comment',
  Polygon: 'Comment',
  PolyLine: 'Comment',
  Line: 'Comment',
  Ink: 'Comment',
  FileAttachment: 'Attachment',
};

/** Kinds of annotations that contain their own text. */
export const kindsWithText: readonly string[] = ['Widget', 'FreeText', ...Object.keys(remarks)];
