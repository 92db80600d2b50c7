/**
 * Adobe's character collections (Technical Notes 5078, 5079, 5080, 5093), as far as they follow a national standard.
 * Their CIDs are in the order of the standard's code table. The platform can decode that table, so no tables are needed
 * here.
 */

export type Ordering = 'Japan1' | 'GB1' | 'CNS1' | 'Korea1';

/** In rows of 94 from A1, the codes `from` to `to` of a two-byte charset have consecutive CIDs starting with `cid`. */
interface Run {
  from: number;
  to: number;
  cid: number;
}

interface Collection {
  charset: string;
  runs: readonly Run[];
  /** Assigned codes that share their CID with another code, or were added later. */
  skipped: RegExp;
  /** First CIDs of proportional and of half-width ASCII characters. */
  ascii: readonly number[];
  /** First CID after all supplements, for characters without a known CID. */
  freeCid: number;
}

const run = (from: number, to: number, cid: number): Run => ({ from, to, cid });

const collections: Readonly<Record<Ordering, Collection>> = {
  Japan1: {
    charset: 'euc-jp',
    runs: [
      run(0xa1a1, 0xa2ae, 633),
      run(0xa2ba, 0xa2c1, 741),
      run(0xa2ca, 0xa2d0, 749),
      run(0xa2dc, 0xa2ea, 756),
      run(0xa2f2, 0xa2f9, 771),
      run(0xa2fe, 0xa2fe, 779),
      run(0xa3b0, 0xa3b9, 780),
      run(0xa3c1, 0xa3da, 790),
      run(0xa3e1, 0xa3fa, 816),
      run(0xa4a1, 0xa4f3, 842),
      run(0xa5a1, 0xa5f6, 925),
      run(0xa6a1, 0xa6b8, 1011),
      run(0xa6c1, 0xa6d8, 1035),
      run(0xa7a1, 0xa7c1, 1059),
      run(0xa7d1, 0xa7f1, 1092),
      run(0xb0a1, 0xcfd3, 1125),
      run(0xd0a1, 0xf4a4, 4090),
      run(0xa8a1, 0xa8c0, 7479),
    ],
    skipped: /(?!)/,
    ascii: [1, 231],
    freeCid: 23_200,
  },
  GB1: {
    charset: 'gb18030',
    runs: [
      run(0xa1a1, 0xa1fe, 96),
      run(0xa2b1, 0xa2e2, 190),
      run(0xa2e5, 0xa2ee, 240),
      run(0xa2f1, 0xa2fc, 250),
      run(0xa3a1, 0xa3fe, 262),
      run(0xa4a1, 0xa4f3, 356),
      run(0xa5a1, 0xa5f6, 439),
      run(0xa6a1, 0xa6b8, 525),
      run(0xa6c1, 0xa6d8, 549),
      run(0xa7a1, 0xa7c1, 602),
      run(0xa7d1, 0xa7f1, 635),
      run(0xa8c5, 0xa8e9, 700),
      run(0xa9a4, 0xa9ef, 738),
      run(0xb0a1, 0xd7f9, 940),
      run(0xd8a1, 0xf7fe, 4695),
    ],
    skipped: /(?!)/,
    ascii: [1, 814],
    freeCid: 30_600,
  },
  CNS1: { charset: 'big5', runs: [], skipped: /(?!)/, ascii: [1, 13_648], freeCid: 19_200 },
  Korea1: {
    charset: 'euc-kr',
    runs: [run(0xa1a1, 0xacf1, 101), run(0xb0a1, 0xc8fe, 1086), run(0xcaa1, 0xfdfe, 3436)],
    skipped: /[\u3164\u20ac\u00ae\uf900-\ufaff]/,
    ascii: [1, 8094],
    freeCid: 18_400,
  },
};

/** Vertical forms of punctuation and small kana in Adobe-Japan1, in CID order. */
const japaneseVertical =
  '、。￣＿ー―‐～∥｜…‥（）〔〕［］｛｝〈〉《》「」『』【】＝ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ';
const JAPANESE_VERTICAL_CID = 7887;

/**
 * Unicode ranges whose characters get a free CID if they have no known one. Excludes private use, surrogates and rare
 * scripts.
 */
const countedRanges: Readonly<Record<Ordering, readonly (readonly [number, number])[]>> = {
  Japan1: [
    [0xa0, 0x6ff],
    [0x2000, 0x33ff],
    [0x4e00, 0x9fff],
    [0xf900, 0xfaff],
    [0xfe30, 0xfe4f],
    [0xff00, 0xffef],
  ],
  GB1: [
    [0xa0, 0x6ff],
    [0x2000, 0x33ff],
    [0x4e00, 0x9fff],
    [0xf900, 0xfaff],
    [0xfe30, 0xfe4f],
    [0xff00, 0xffef],
  ],
  CNS1: [
    [0xa0, 0x6ff],
    [0x2000, 0x33ff],
    [0x4e00, 0x9fff],
    [0xf900, 0xfaff],
    [0xfe30, 0xfe4f],
    [0xff00, 0xffef],
  ],
  Korea1: [
    [0xa0, 0x6ff],
    [0x2000, 0x33ff],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
    [0xf900, 0xfaff],
    [0xff00, 0xffef],
  ],
};

export interface CidTable {
  unicodeOfCid: ReadonlyMap<number, string>;
  cidOfUnicode: ReadonlyMap<string, number>;
}

const tables = new Map<Ordering, CidTable>();

/** Returns the table of a collection. Each thread builds it once. */
export function cidTable(ordering: Ordering): CidTable {
  const known = tables.get(ordering);
  if (known) return known;
  const table = buildTable(ordering);
  tables.set(ordering, table);
  return table;
}

function buildTable(ordering: Ordering): CidTable {
  const { charset, runs, skipped, ascii, freeCid } = collections[ordering];
  const unicodeOfCid = new Map<number, string>();
  const cidOfUnicode = new Map<string, number>();
  const assign = (cid: number, char: string) => {
    if (!unicodeOfCid.has(cid)) unicodeOfCid.set(cid, char);
    if (!cidOfUnicode.has(char)) cidOfUnicode.set(char, cid);
  };
  for (const first of ascii) for (let i = 0; i < 95; i++) assign(first + i, String.fromCharCode(0x20 + i));
  for (const { from, to, cid } of runs) {
    let next = cid;
    for (const char of standardChars(charset, from, to)) if (!skipped.test(char)) assign(next++, char);
  }
  if (ordering === 'Japan1') {
    for (const [i, char] of [...japaneseVertical].entries()) assign(JAPANESE_VERTICAL_CID + i, char);
    for (let i = 0; i < 63; i++) assign(327 + i, String.fromCharCode(0xff61 + i));
  }
  let next = freeCid;
  for (const [from, to] of countedRanges[ordering]) {
    for (let code = from; code <= to; code++) {
      const char = String.fromCharCode(code);
      if (!cidOfUnicode.has(char)) assign(next++, char);
    }
  }
  return { unicodeOfCid, cidOfUnicode };
}

/** Yields the characters of a range of a 94 × 94 code table, without unassigned codes. */
function* standardChars(charset: string, from: number, to: number): Generator<string> {
  const decoder = new TextDecoder(charset);
  for (let row = from >> 8; row <= to >> 8; row++) {
    const first = row === from >> 8 ? from & 0xff : 0xa1;
    const last = row === to >> 8 ? to & 0xff : 0xfe;
    for (let cell = first; cell <= last; cell++) {
      const char = decoder.decode(new Uint8Array([row, cell]));
      if (char.length === 1 && char !== '\ufffd') yield char;
    }
  }
}
