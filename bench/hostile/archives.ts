import {
  docx,
  docxEntries,
  packedZeros,
  paragraph,
  xlsxEntries,
  zipOf,
} from '../../test/workers/extract/file/fixtures.js';
import { type HostileFile, repeat } from './input.js';

const hello = () => docxEntries(paragraph('Hello'));
const documentOf = (entry: object) =>
  hello().map((one) => (one.name === 'word/document.xml' ? { ...one, ...entry } : one));
const withDoctype = (doctype: string, body: string) =>
  docxEntries(body).map((one) =>
    one.name === 'word/document.xml' ? { ...one, text: `${one.text}`.replace('?>', `?>${doctype}`) } : one,
  );

/** Names of a directory that lists one stored entry again and again: the data of all of them overlap. */
function overlapping(count: number, packed: Buffer): Uint8Array {
  const zip = Buffer.from(zipOf([...hello(), { name: 'x/00000000', packed, size: 9, crc: 1 }]));
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const last = zip.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'), end);
  const start = zip.readUInt32LE(end + 16);
  const row = zip.subarray(last, end);
  const rows = Buffer.alloc(row.length * count);
  for (let i = 0; i < count; i++) {
    row.copy(rows, i * row.length);
    rows.write(String(i).padStart(8, '0'), (i + 1) * row.length - 8);
  }
  const tail = Buffer.from(zip.subarray(end));
  const entries = Math.min(count + 4, 0xffff);
  tail.writeUInt16LE(entries, 8);
  tail.writeUInt16LE(entries, 10);
  tail.writeUInt32LE(last - start + rows.length, 12);
  return new Uint8Array(Buffer.concat([zip.subarray(0, last), rows, tail]));
}

const laughs = repeat(12, (i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`);

export const archives: HostileFile[] = [
  {
    name: 'zip: one part of 4 GB',
    fileName: 'a.docx',
    make: () => zipOf(documentOf({ packed: packedZeros(4096), size: 0xffffff00, crc: 1 })),
  },
  {
    name: 'zip: a part that says it holds 10 bytes',
    fileName: 'a.docx',
    make: () => zipOf(documentOf({ packed: packedZeros(4096), size: 10, crc: 1 })),
  },
  {
    name: 'zip: 9,000 parts of 1 MB',
    fileName: 'a.xlsx',
    make: () => {
      const packed = packedZeros(1);
      const many = Array.from({ length: 9000 }, (_, i) => ({
        name: `xl/media/${i}`,
        packed,
        size: 9,
        crc: 1,
      }));
      return zipOf([...xlsxEntries([{ name: 'A', rows: '' }]), ...many]);
    },
  },
  {
    name: 'zip: 9,000 names of one part of 7 MB',
    fileName: 'a.docx',
    make: () => overlapping(9000, packedZeros(7)),
  },
  { name: 'zip: 700,000 entries', fileName: 'a.docx', make: () => overlapping(700_000, Buffer.from([3, 0])) },
  {
    name: 'zip: zips in zips in zips',
    fileName: 'a.docx',
    make: () => {
      let inner = Buffer.from(zipOf([{ name: 'x', packed: packedZeros(1024), size: 9, crc: 1 }]));
      for (let i = 0; i < 20; i++)
        inner = Buffer.from(
          zipOf(
            Array.from({ length: 2 }, (_, n) => ({ name: `${n}.zip`, text: inner.toString('latin1') })),
          ).subarray(0, 2_000_000),
        );
      return zipOf([...hello(), { name: 'word/embeddings/1.zip', text: inner.toString('latin1') }]);
    },
  },
  {
    name: 'xml: a billion laughs',
    fileName: 'a.docx',
    make: () =>
      zipOf(
        withDoctype(
          `<!DOCTYPE x [<!ENTITY e0 "ha">${laughs}]>`,
          '<w:p><w:r><w:t>before &e12; after</w:t></w:r></w:p>',
        ),
      ),
  },
  {
    name: 'xml: external entities',
    fileName: 'a.docx',
    make: () =>
      zipOf(
        withDoctype(
          '<!DOCTYPE x SYSTEM "file:///dev/zero" [<!ENTITY o SYSTEM "file:///dev/random">]>',
          '<w:p><w:r><w:t>before &o; after</w:t></w:r></w:p>',
        ),
      ),
  },
  {
    name: 'xml: a million nested elements',
    fileName: 'a.docx',
    make: () => docx('<w:sdt>'.repeat(1_000_000) + '</w:sdt>'.repeat(1_000_000)),
  },
  {
    name: 'xml: an attribute of 60 MB',
    fileName: 'a.docx',
    make: () => docx(`<w:p a="${'x'.repeat(60_000_000)}"/>`),
  },
  {
    name: 'xml: a million attributes',
    fileName: 'a.docx',
    make: () => docx(`<w:p ${repeat(1_000_000, (i) => `a${i}="" `)}/>`),
  },
  {
    name: 'xml: 100,000 tags with 1,000 attributes',
    fileName: 'a.docx',
    make: () => docx(`<w:p ${repeat(1000, (i) => `a${i}="" `)}><w:r><w:t>x</w:t></w:r></w:p>`.repeat(20_000)),
  },
  {
    name: 'xml: 5,000 namespaces, nested',
    fileName: 'a.docx',
    make: () =>
      docx(
        repeat(300, (i) => `<w:sdt ${repeat(500, (n) => `xmlns:n${i}_${n}="u" `)}>`) + '</w:sdt>'.repeat(300),
      ),
  },
  {
    name: 'xml: a comment that never ends',
    fileName: 'a.docx',
    make: () => docx(`<!--${'-'.repeat(60_000_000)}`),
  },
  {
    name: 'xml: one text of 60 MB',
    fileName: 'a.docx',
    make: () => docx(`<w:p><w:r><w:t>${'word '.repeat(12_000_000)}</w:t></w:r></w:p>`),
  },
];
