const openXml = 'application/vnd.openxmlformats-officedocument';

/** Supported files by extension, with their media types. The API returns the first type. */
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

export const fileExtensions = fileKinds.map((kind) => `.${kind}` as const);
