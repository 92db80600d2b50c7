const openXml = 'application/vnd.openxmlformats-officedocument';

/** The files that we read, by extension, with their media types; the first is the one that we say. */
export const fileTypes = {
  pdf: ['application/pdf', 'application/x-pdf'],
  txt: ['text/plain'],
  md: ['text/markdown'],
  docx: [`${openXml}.wordprocessingml.document`],
  xlsx: [`${openXml}.spreadsheetml.sheet`],
  pptx: [`${openXml}.presentationml.presentation`],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type FileKind = keyof typeof fileTypes;

export const fileKinds = Object.keys(fileTypes) as readonly FileKind[];

/** With their dots, as file names end. */
export const fileExtensions = fileKinds.map((kind) => `.${kind}` as const);
