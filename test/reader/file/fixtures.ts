import { crc32, deflateRawSync, constants as zlib } from 'node:zlib';
import type { ExtractResult } from '../../../workers/threads/extract-threads.js';

/** An entry of a zip archive; `packed` and `size` can misrepresent its content. */
export interface ZipEntry {
  name: string;
  text?: string;
  packed?: Buffer;
  crc?: number;
  size?: number;
  flags?: number;
}

export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const {
    name,
    text = '',
    packed = deflateRawSync(text),
    crc = crc32(text),
    size,
    flags = 0,
  } of entries) {
    const label = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(0x800 | flags, 6);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(crc, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(size ?? Buffer.byteLength(text), 22);
    local.writeUInt16LE(label.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    local.copy(central, 6, 4, 30);
    central.writeUInt32LE(offset, 42);
    parts.push(local, label, packed);
    directory.push(central, label);
    offset += 30 + label.length + packed.length;
  }
  const end = Buffer.alloc(22);
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

/** Deflate data that inflates to this many MiB of zeros, generated without holding them. */
export function packedZeros(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: zlib.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: mebibytes }, () => piece), deflateRawSync('')]);
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const pack = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const contentTypes = (mainType: string): ZipEntry => ({
  name: '[Content_Types].xml',
  text: `${xml}<Types xmlns="${pack}/content-types"><Override PartName="/main" ContentType="application/vnd.openxmlformats-officedocument.${mainType}.main+xml"/></Types>`,
});

export const relationships = (
  part: string,
  list: readonly (readonly [string, string, string])[],
): ZipEntry => {
  const at = part.lastIndexOf('/') + 1;
  const rows = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return {
    name: `${part.slice(0, at)}_rels/${part.slice(at)}.rels`,
    text: `${xml}<Relationships xmlns="${pack}/relationships">${rows.join('')}</Relationships>`,
  };
};

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const docxDeclarations = `${w} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`;

/** The content of `word/<name>.xml` with `root` around it. */
export const wordPart = (name: string, root: string, content: string): ZipEntry => ({
  name: `word/${name}.xml`,
  text: `${xml}<w:${root} ${docxDeclarations}>${content}</w:${root}>`,
});

export const docxEntries = (body: string, more: readonly ZipEntry[] = []): ZipEntry[] => [
  contentTypes('wordprocessingml.document'),
  relationships('', [['rId1', 'officeDocument', 'word/document.xml']]),
  relationships(
    'word/document.xml',
    more.map(({ name }, i) => {
      const file = name.replace('word/', '');
      return [`rId${i + 1}`, file.replace(/\d*\.xml$/, ''), file] as const;
    }),
  ),
  wordPart('document', 'document', `<w:body>${body}</w:body>`),
  ...more,
];

export const docx = (body: string, more: readonly ZipEntry[] = []) => zipOf(docxEntries(body, more));

export const paragraph = (text: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`;

export interface SheetFixture {
  name: string;
  rows: string;
  state?: string;
  after?: string;
}

const s = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

export function xlsxEntries(
  sheets: readonly SheetFixture[],
  options: { styles?: string; strings?: string; workbook?: string } = {},
): ZipEntry[] {
  const list = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${escapeXml(name)}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="s${i + 1}"/>`,
  );
  return [
    contentTypes('spreadsheetml.sheet'),
    relationships('', [['rId1', 'officeDocument', 'xl/workbook.xml']]),
    relationships('xl/workbook.xml', [
      ...sheets.map((_, i) => [`s${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['st', 'styles', 'styles.xml'],
      ['ss', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    {
      name: 'xl/workbook.xml',
      text: `${xml}<workbook ${s} xmlns:r="${office}">${options.workbook ?? ''}<sheets>${list.join('')}</sheets></workbook>`,
    },
    ...sheets.map(({ rows, after = '' }, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      text: `${xml}<worksheet ${s}><sheetData>${rows}</sheetData>${after}</worksheet>`,
    })),
    ...(options.styles
      ? [{ name: 'xl/styles.xml', text: `${xml}<styleSheet ${s}>${options.styles}</styleSheet>` }]
      : []),
    ...(options.strings
      ? [{ name: 'xl/sharedStrings.xml', text: `${xml}<sst ${s}>${options.strings}</sst>` }]
      : []),
  ];
}

export const xlsx = (...args: Parameters<typeof xlsxEntries>) => zipOf(xlsxEntries(...args));

/** A row of inline strings and numbers. */
export const row = (values: readonly (string | number)[]) =>
  `<row>${values
    .map((value) =>
      typeof value === 'number'
        ? `<c><v>${value}</v></c>`
        : `<c t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`,
    )
    .join('')}</row>`;

const p = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';

export interface SlideFixture {
  shapes: string;
  notes?: string;
  hidden?: boolean;
  /** Part with the comments on the slide. */
  comments?: string;
}

/** `authors` is the part that names the authors of comments. */
export function pptx(
  slides: readonly SlideFixture[],
  order = slides.map((_, i) => i),
  authors = '',
): Uint8Array {
  const ids = order.map((i) => `<p:sldId id="${256 + i}" r:id="r${i + 1}"/>`).join('');
  return zipOf([
    contentTypes('presentationml.presentation'),
    relationships('', [['rId1', 'officeDocument', 'ppt/presentation.xml']]),
    relationships('ppt/presentation.xml', [
      ...slides.map((_, i) => [`r${i + 1}`, 'slide', `slides/slide${i + 1}.xml`] as const),
      ['authors', /cmAuthorLst/.test(authors) ? 'commentAuthors' : 'authors', 'authors.xml'] as const,
    ]),
    { name: 'ppt/authors.xml', text: `${xml}${authors}` },
    {
      name: 'ppt/presentation.xml',
      text: `${xml}<p:presentation ${p} xmlns:r="${office}"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    },
    ...slides.flatMap(({ shapes, notes, hidden, comments }, i): ZipEntry[] => [
      {
        name: `ppt/slides/slide${i + 1}.xml`,
        text: `${xml}<p:sld ${p} ${a}${hidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      },
      relationships(`ppt/slides/slide${i + 1}.xml`, [
        ['n', 'notesSlide', `../notesSlides/n${i + 1}.xml`],
        ['c', 'comments', `../comments/c${i + 1}.xml`],
      ]),
      ...(comments ? [{ name: `ppt/comments/c${i + 1}.xml`, text: `${xml}${comments}` }] : []),
      ...(notes
        ? [
            {
              name: `ppt/notesSlides/n${i + 1}.xml`,
              text: `${xml}<p:notes ${p} ${a}><p:cSld><p:spTree>${shape(notes, 'body')}${shape('7', 'sldNum')}</p:spTree></p:cSld></p:notes>`,
            },
          ]
        : []),
    ]),
  ]);
}

export const shape = (text: string, placeholder = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder && `<p:ph type="${placeholder}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${text
    .split('\n')
    .map((line) => `<a:p><a:r><a:t>${escapeXml(line)}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;

/** A PDF of these objects, numbered from 1; the first is the catalogue. */
export function pdfOf(objects: readonly string[], trailer = ''): Uint8Array {
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const at = body.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<</Size ${objects.length + 1}/Root 1 0 R ${trailer}>>\nstartxref\n${at}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(body, 'latin1'));
}

const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
const stream = (content: string) => `<</Length ${content.length}>>\nstream\n${content}\nendstream`;

/** One page per content stream. */
export function pdf(contents: readonly string[], trailer = ''): Uint8Array {
  const kids = contents.map((_, i) => `${4 + 2 * i} 0 R`).join(' ');
  return pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>`,
      font,
      ...contents.flatMap((content, i) => [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${5 + 2 * i} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        stream(content),
      ]),
    ],
    trailer,
  );
}

/** Lines of Helvetica from (x, y) downwards. */
export const pdfLines = (x: number, y: number, lines: readonly string[], size = 12, leading = 14) =>
  lines
    .map(
      (line, i) => `BT /F1 ${size} Tf ${x} ${y - i * leading} Td (${line.replace(/[\\()]/g, '\\$&')}) Tj ET`,
    )
    .join('\n');

export const textOf = (result: ExtractResult): string =>
  result.ok ? result.extraction.text : `failed: ${result.failure.code} ${result.failure.message}`;

export const codeOf = (result: ExtractResult): string => (result.ok ? 'ok' : result.failure.code);

/** ASCII85 (ISO 32000-1, 7.4.3). Each four zeros are a `z`; the rest is written digit by digit. */
export function ascii85(data: Buffer): string {
  let text = '';
  for (let at = 0; at < data.length; at += 4) {
    const part = data.subarray(at, at + 4);
    let value = 0;
    for (let i = 0; i < 4; i++) value = value * 256 + (part[i] ?? 0);
    let digits = '';
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85))
      digits = String.fromCharCode(33 + (value % 85)) + digits;
    text += part.length === 4 && digits === '!!!!!' ? 'z' : digits.slice(0, part.length + 1);
  }
  return `${text}~>`;
}
