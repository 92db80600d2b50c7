import { cidTable, type Ordering } from './cid-collections.js';

/** Encoding of the character codes of a predefined CMap (ISO 32000-1, table 118). */
interface CodeForm {
  ordering: Ordering;
  charset: string;
  /** True if the codes are those of the 8-bit table without the high bits. */
  sevenBit?: boolean;
}

const forms: readonly (readonly [RegExp, CodeForm])[] = [
  [/^UniJIS.*(UCS2|UTF16)/, { ordering: 'Japan1', charset: 'utf-16be' }],
  [/^UniGB.*(UCS2|UTF16)/, { ordering: 'GB1', charset: 'utf-16be' }],
  [/^UniCNS.*(UCS2|UTF16)/, { ordering: 'CNS1', charset: 'utf-16be' }],
  [/^UniKS.*(UCS2|UTF16)/, { ordering: 'Korea1', charset: 'utf-16be' }],
  [/RKSJ/, { ordering: 'Japan1', charset: 'shift_jis' }],
  [/^(78-)?EUC-[HV]$/, { ordering: 'Japan1', charset: 'euc-jp' }],
  [/^((78|Add|Ext|NWP)-)?[HV]$/, { ordering: 'Japan1', charset: 'euc-jp', sevenBit: true }],
  [/^GB(pc|K|Kp|K2K)?-?(EUC-)?[HV]$/, { ordering: 'GB1', charset: 'gb18030' }],
  [/^(B5pc|ETen-B5|ETenms-B5|HKscs-B5|B5)-[HV]$/, { ordering: 'CNS1', charset: 'big5' }],
  [/^KSC(ms-UHC(-HW)?|pc-EUC|-EUC)-[HV]$/, { ordering: 'Korea1', charset: 'euc-kr' }],
  [/^KSC-[HV]$/, { ordering: 'Korea1', charset: 'euc-kr', sevenBit: true }],
];

const toUnicode = /^Adobe-(Japan1|GB1|CNS1|Korea1)-UCS2$/;
const texts = new Map<string, Uint8Array>();

/** Generates a predefined CMap from its charset; null if that is not possible. */
function predefinedCMap(name: string): Uint8Array | null {
  const known = texts.get(name);
  if (known) return known;
  const source = buildCMap(name);
  if (source === null) return null;
  const bytes = new TextEncoder().encode(source);
  texts.set(name, bytes);
  return bytes;
}

function buildCMap(name: string): string | null {
  const ordering = toUnicode.exec(name)?.[1];
  if (ordering === 'Japan1' || ordering === 'GB1' || ordering === 'CNS1' || ordering === 'Korea1') {
    return unicodeCMap(name, ordering);
  }
  const form = forms.find(([pattern]) => pattern.test(name))?.[1];
  return form ? codeCMap(name, form) : null;
}

const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0');

const cmapText = (name: string, ranges: string, body: readonly string[]): string =>
  [
    `/CMapName /${name} def`,
    `/WMode ${name.endsWith('-V') || name === 'V' ? 1 : 0} def`,
    'begincmap',
    ranges,
    ...body,
    'endcmap',
  ].join('\n');

function unicodeCMap(name: string, ordering: Ordering): string {
  const lines = [...cidTable(ordering).unicodeOfCid].map(
    ([cid, char]) => `<${hex(cid, 2)}> <${hex(char.charCodeAt(0), 2)}>`,
  );
  const body = [`${lines.length} beginbfchar`, ...lines, 'endbfchar'];
  return cmapText(name, '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange', body);
}

/** Half-width Latin letters of national charsets have fixed CIDs. Other characters are looked up. */
function codeCMap(name: string, { ordering, charset, sevenBit = false }: CodeForm): string {
  const { cidOfUnicode } = cidTable(ordering);
  const lines: string[] = [];
  const add = (code: number, bytes: number, char: string) => {
    const cid = cidOfUnicode.get(char);
    if (cid !== undefined) lines.push(`<${hex(code, bytes)}> ${cid}`);
  };
  if (charset === 'utf-16be') {
    for (const [char] of cidOfUnicode) add(char.charCodeAt(0), 2, char);
  } else {
    const decoder = new TextDecoder(charset);
    for (let byte = 0x20; byte < 0x100 && !sevenBit; byte++) {
      const char = decoder.decode(new Uint8Array([byte]));
      if (char.length === 1 && char !== '\ufffd') add(byte, 1, char);
    }
    const mask = sevenBit ? 0x8080 : 0;
    for (let lead = 0x81; lead < 0xff; lead++) {
      for (let trail = sevenBit ? 0xa1 : 0x40; trail < 0xff; trail++) {
        const char = decoder.decode(new Uint8Array([lead, trail]));
        if (char.length === 1 && char !== '\ufffd') add(((lead << 8) | trail) - mask, 2, char);
      }
    }
  }
  return cmapText(name, codeSpace(charset, sevenBit), [
    `${lines.length} begincidchar`,
    ...lines,
    'endcidchar',
  ]);
}

function codeSpace(charset: string, sevenBit: boolean): string {
  const ranges = sevenBit
    ? ['<2121> <7e7e>']
    : charset === 'utf-16be'
      ? ['<0000> <ffff>']
      : charset === 'shift_jis'
        ? ['<00> <80>', '<8140> <9ffc>', '<a0> <df>', '<e040> <fcfc>']
        : ['<00> <80>', '<8140> <fefe>'];
  return [`${ranges.length} begincodespacerange`, ...ranges, 'endcodespacerange'].join('\n');
}

/** Provides predefined CMaps to pdf.js without loading files. */
export class PredefinedCMapFactory {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const bytes = kind === 'cMapUrl' ? predefinedCMap(filename) : null;
    if (bytes === null) throw new Error(`no such resource: ${kind}`);
    return bytes;
  }
}
