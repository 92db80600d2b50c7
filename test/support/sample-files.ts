import { type FileKind, fileTypes } from '../../core/knowledge/sources/file-types.js';
import { docx, paragraph, pdf, pdfLines, pptx, row, shape, xlsx } from '../reader/file/fixtures.js';

export interface SampleFile {
  fileName: string;
  type: string;
  bytes: Uint8Array;
}

/** A small file of each of the six types. */
export function sampleFiles(sentence: (kind: string) => string): SampleFile[] {
  const files: Record<FileKind, Uint8Array> = {
    txt: new Uint8Array(Buffer.from(`${sentence('txt')}\n`)),
    md: new Uint8Array(Buffer.from(`# Sample\n\n${sentence('md')}\n`)),
    docx: docx(paragraph(sentence('docx'))),
    xlsx: xlsx([{ name: 'Figures', rows: row([sentence('xlsx')]) }]),
    pptx: pptx([{ shapes: shape(sentence('pptx')) }]),
    pdf: pdf([pdfLines(50, 770, sentence('pdf').split('\n'), 11)]),
  };
  return Object.entries(files).map(([kind, bytes]) => ({
    fileName: `sample.${kind}`,
    type: fileTypes[kind as FileKind][0],
    bytes,
  }));
}
