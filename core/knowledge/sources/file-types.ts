const openXml = 'application/vnd.openxmlformats-officedocument';

/**
 * Media types of the supported files, by extension. Requests may use each of them; responses contain the first one.
 */
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
