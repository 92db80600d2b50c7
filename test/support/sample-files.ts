import { strToU8, zipSync } from 'fflate';

/** The smallest valid files of each supported type that contain a given sentence. */

export interface SampleFile {
  fileName: string;
  type: string;
  bytes: Uint8Array;
}

const xmlText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const packageNs = 'http://schemas.openxmlformats.org/package/2006';
const officeNs = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const ooxml = 'application/vnd.openxmlformats-officedocument';

const archive = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(head + text)])));

const contentTypes = (parts: Record<string, string>) =>
  `<Types xmlns="${packageNs}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  Object.entries(parts)
    .map(([name, type]) => `<Override PartName="${name}" ContentType="${ooxml}.${type}+xml"/>`)
    .join('') +
  '</Types>';

const relationship = (type: string, target: string) =>
  `<Relationships xmlns="${packageNs}/relationships"><Relationship Id="rId1" Type="${officeNs}/${type}" Target="${target}"/></Relationships>`;

const docx = (text: string) =>
  archive({
    '[Content_Types].xml': contentTypes({ '/word/document.xml': 'wordprocessingml.document.main' }),
    '_rels/.rels': relationship('officeDocument', 'word/document.xml'),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${xmlText(text)}</w:t></w:r></w:p></w:body></w:document>`,
  });

const xlsx = (text: string) =>
  archive({
    '[Content_Types].xml': contentTypes({
      '/xl/workbook.xml': 'spreadsheetml.sheet.main',
      '/xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
    }),
    '_rels/.rels': relationship('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeNs}"><sheets><sheet name="Figures" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationship('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${xmlText(text)}</t></is></c></row></sheetData></worksheet>`,
  });

const pptx = (text: string) =>
  archive({
    '[Content_Types].xml': contentTypes({
      '/ppt/presentation.xml': 'presentationml.presentation.main',
      '/ppt/slides/slide1.xml': 'presentationml.slide',
    }),
    '_rels/.rels': relationship('officeDocument', 'ppt/presentation.xml'),
    'ppt/presentation.xml': `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${officeNs}"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationship('slide', 'slides/slide1.xml'),
    'ppt/slides/slide1.xml': `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody><a:bodyPr/><a:p><a:r><a:t>${xmlText(text)}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
  });

/** PDF 32000-1:2008, 7.5: header, objects, cross-reference table, trailer. */
export function pdf(pages: string[]): Uint8Array {
  const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&');
  const objects = ['<</Type/Catalog/Pages 2 0 R>>'];
  const kids = pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ');
  objects.push(`<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`);
  objects.push('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  for (const [n, page] of pages.entries()) {
    const lines = page.split('\n').map((line) => `(${escaped(line)}) Tj T*`);
    const stream = `BT /F1 11 Tf 14 TL 50 770 Td ${lines.join(' ')} ET`;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${5 + 2 * n} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
      `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    );
  }
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const at = body.length;
    body += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = body.length;
  const size = objects.length + 1;
  body += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

/** One file of each of the six types. */
export const sampleFiles = (sentence: (kind: string) => string): SampleFile[] => [
  { fileName: 'sample.txt', type: 'text/plain', bytes: strToU8(`${sentence('txt')}\n`) },
  { fileName: 'sample.md', type: 'text/markdown', bytes: strToU8(`# Sample\n\n${sentence('md')}\n`) },
  { fileName: 'sample.docx', type: `${ooxml}.wordprocessingml.document`, bytes: docx(sentence('docx')) },
  { fileName: 'sample.xlsx', type: `${ooxml}.spreadsheetml.sheet`, bytes: xlsx(sentence('xlsx')) },
  { fileName: 'sample.pptx', type: `${ooxml}.presentationml.presentation`, bytes: pptx(sentence('pptx')) },
  { fileName: 'sample.pdf', type: 'application/pdf', bytes: pdf([sentence('pdf')]) },
];
