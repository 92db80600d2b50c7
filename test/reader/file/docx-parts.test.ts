import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { docx, docxEntries, paragraph, relationships, textOf, wordPart, zipOf } from './fixtures.js';

const read = async (bytes: Uint8Array) => textOf(await extractFile({ bytes, fileName: 'a.docx' }));
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const mark = (type: string, data = '') =>
  `<w:r><w:fldChar w:fldCharType="${type}">${data && `<w:ffData>${data}</w:ffData>`}</w:fldChar></w:r>`;
const form = (name: string, data: string) =>
  `${mark('begin', data)}${code(` ${name} `)}${mark('separate')}${mark('end')}`;

t.test('a comment follows its paragraph, with its author', async (t) => {
  const reference = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`;
  const body = `<w:p>${run('The bridge carries six tonnes.')}${reference(3)}${reference(4)}</w:p>${paragraph('The end.')}`;
  const comments = wordPart(
    'comments',
    'comments',
    `<w:comment w:id="3" w:author="Ada">${paragraph('Since May: four tonnes.')}</w:comment>
     <w:comment w:id="4">${paragraph('See the sign.')}</w:comment>
     <w:comment w:id="9" w:author="Ada">${paragraph('Belongs to nothing.')}</w:comment>`,
  );
  t.equal(
    await read(docx(body, [comments])),
    'The bridge carries six tonnes.\n\nComment by Ada: Since May: four tonnes.\n\nComment: See the sign.\n\nThe end.',
  );
});

t.test('a comment on a cell follows the table', async (t) => {
  const cell = (content: string) => `<w:tc><w:p>${content}</w:p></w:tc>`;
  const marked = `${run('11')}<w:r><w:commentReference w:id="0"/></w:r>`;
  const table = `<w:tbl><w:tr>${cell(run('Boat'))}${cell(run('Fee'))}</w:tr><w:tr>${cell(run('Punt'))}${cell(marked)}</w:tr></w:tbl>`;
  const comments = wordPart(
    'comments',
    'comments',
    `<w:comment w:id="0">${paragraph('Now twelve.')}</w:comment>`,
  );
  t.equal(
    await read(docx(`${table}${paragraph('The end.')}`, [comments])),
    '| Boat | Fee |\n| --- | --- |\n| Punt | 11 |\n\nComment: Now twelve.\n\nThe end.',
  );
});

t.test('form fields show their state', async (t) => {
  const box = (data: string) => form('FORMCHECKBOX', `<w:checkBox>${data}</w:checkBox>`);
  const list = (data: string) =>
    form(
      'FORMDROPDOWN',
      `<w:ddList>${data}${['red', 'green', 'blue'].map((entry) => `<w:listEntry w:val="${entry}"/>`).join('')}</w:ddList>`,
    );
  const lines = [
    box('<w:default w:val="0"/><w:checked/>') + run(' yes'),
    box('<w:default w:val="1"/>') + run(' by default'),
    box('<w:default w:val="1"/><w:checked w:val="0"/>') + run(' no'),
    run('Colour: ') + list('<w:result w:val="2"/>'),
    run('Colour: ') + list('<w:default w:val="1"/>'),
    run('Colour: ') + list(''),
  ];
  t.equal(
    await read(docx(lines.map((line) => `<w:p>${line}</w:p>`).join(''))),
    ['☒ yes', '☒ by default', '☐ no', 'Colour: blue', 'Colour: green', 'Colour: red'].join('\n\n'),
  );
});

t.test('of a condition, only its result is text', async (t) => {
  const inner = `${mark('begin')}${code(' MERGEFIELD Age ')}${mark('separate')}${run('twelve')}${mark('end')}`;
  const condition = `${mark('begin')}${code(' IF ')}${inner}${code(' = "x" "3 pounds" "5 pounds" ')}${mark('separate')}${run('5 pounds')}${mark('end')}`;
  t.equal(
    await read(docx(`<w:p>${run('The ticket costs ')}${condition}${run('.')}</w:p>`)),
    'The ticket costs 5 pounds.',
  );
});

t.test('a field without an end hides nothing', async (t) => {
  t.equal(await read(docx(`<w:p>${mark('begin')}${run('One')}</w:p>${paragraph('Two')}`)), 'One\n\nTwo');
});

t.test('the page in an embedded web archive is read', async (t) => {
  const archive = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/related;',
    '\tboundary="----=_Part"',
    '',
    '------=_Part',
    'Content-Type: text/html; charset="utf-8"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<html><body><p>The caf=C3=A9 opens at nine and closes =',
    'at six.</p></body></html>',
    '------=_Part',
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw0KGgo=',
    '------=_Part--',
  ].join('\r\n');
  const r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const entries = docxEntries(
    `${paragraph('Before')}<w:altChunk ${r} r:id="c1"/>${paragraph('After')}`,
  ).filter(({ name }) => !name.endsWith('document.xml.rels'));
  for (const name of ['part.mht', 'part.dat']) {
    const bytes = zipOf([
      ...entries,
      relationships('word/document.xml', [['c1', 'aFChunk', name]]),
      { name: `word/${name}`, text: archive },
    ]);
    t.equal(await read(bytes), 'Before\n\nThe café opens at nine and closes at six.\n\nAfter', name);
  }
});

t.test("the author's description precedes the text, a program's does not", async (t) => {
  const core = (description: string) => ({
    name: 'docProps/core.xml',
    text: `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description>${description}</dc:description></cp:coreProperties>`,
  });
  const described = (description: string) =>
    read(zipOf([...docxEntries(paragraph('Oak and ash.')), core(description)]));
  t.equal(
    await described('Prices of firewood from October.'),
    'Prices of firewood from October.\n\nOak and ash.',
  );
  t.equal(await described('generated by a program of somebody'), 'Oak and ash.');
  t.equal(await described('v2'), 'Oak and ash.');
});

t.test('what an empty content control asks for is not read', async (t) => {
  const control = (properties: string, text: string) =>
    `<w:sdt><w:sdtPr>${properties}<w:text/></w:sdtPr><w:sdtContent>${run(text)}</w:sdtContent></w:sdt>`;
  const body = `<w:p>${run('Name: ')}${control('<w:showingPlcHdr/>', 'Enter a name.')}${run('Boat: ')}${control('', 'Skiff')}</w:p>`;
  t.equal(await read(docx(body)), 'Name: Boat: Skiff');
});
