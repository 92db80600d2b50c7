import { isSymbolFont } from '../../../symbol-fonts.js';
import type { StreamVisitor } from '../open/stream-guard.js';
import { withActualTextTags } from './actual-text.js';
import { createFieldValues, MAX_VALUE } from './field-values.js';
import { namedCodes, symbolEncoding, withKnownNames } from './glyph-names.js';
import { createLayers } from './layers.js';
import { createNamedTexts } from './named-texts.js';
import { objectsIn, type PdfObject, packedObjects } from './objects.js';
import { withStampText } from './stamps.js';
import {
  placeholderFor,
  withClusterCodes,
  withoutMeaningless,
  withoutVague,
  withSymbols,
} from './unicode-maps.js';
import { type NewObject, withUpdate } from './update.js';

/** Maximum bytes of ToUnicode maps in memory, until the font of each is known. */
const MAX_MAP_BYTES = 16 * 1024 * 1024;

const fontDictionary = /\/Type\s*\/Font(?![A-Za-z])/;
/** Keys of the objects that are read here. */
const mayMatter =
  /\/(?:BaseFont|Differences|OC|OCGs?|OCMD|OCProperties|OFF|BaseState|Properties|ActualText|Contents|Stamp)(?![A-Za-z])|obj\s*\[\s*\d+\s+\d+\s+R|\/V\s+\d+\s+\d+\s+R/;
/** Marks of streams that are read here. */
const marks = ['beginbf', '/ActualText', '/OC', ' BDC'];
const keysOfStream = /\/(Filter|DecodeParms|Length)(?![A-Za-z])/g;

export interface RepairedPdf {
  bytes: Uint8Array;
  /** True if parts with a replacement text, or in hidden layers, are tagged. */
  hasTags: boolean;
  /** Letters with marks, by the private-use characters that replace them. */
  clusters: readonly string[];
}

interface Repairs extends StreamVisitor {
  /** Returns the bytes of the file for pdf.js. */
  apply: (bytes: Uint8Array) => RepairedPdf;
}

/**
 * Finds objects that pdf.js reads without a warning, but wrongly: names of glyphs that it does not know, symbol fonts
 * without a Unicode map, maps to no character, replacement texts, hidden layers, drawn stamps and values of fields in streams. `apply` appends better
 * versions to the file.
 */
export function createRepairs(): Repairs {
  const changed = new Map<number, NewObject>();
  const maps = new Map<number, { object: PdfObject; map: string }>();
  const encodings = new Map<number, PdfObject>();
  const symbolFonts: { object: PdfObject; font: string }[] = [];
  /** Fonts with names of glyphs and a Unicode map. */
  const namedFonts = new Map<number, PdfObject>();
  const clusters: string[] = [];
  const layers = createLayers();
  const namedTexts = createNamedTexts();
  const fieldValues = createFieldValues();
  let mapBytes = 0;
  let hasTags = false;

  const change = ({ number, generation }: PdfObject, source: string) =>
    changed.set(number, { number, generation, source });

  const nameLetters = (letters: string): string =>
    `u${placeholderFor(letters, clusters).toString(16).toUpperCase()}`;
  const knownNames = (source: string, font: string) => withKnownNames(source, font, nameLetters);

  const changeStream = (object: PdfObject, data: string) => {
    const dictionary = object.text.replace(keysOfStream, '/Former$1').replace(/>>\s*$/, '');
    change(object, `${dictionary}/Length ${data.length}>>\nstream\n${data}\nendstream`);
  };

  function seeObject(object: PdfObject): void {
    // A later version of an object counts.
    changed.delete(object.number);
    layers.see(object);
    namedTexts.see(object);
    fieldValues.see(object);
    const stamp = withStampText(object.text);
    if (stamp !== null) change(object, stamp);
    const font = fontDictionary.test(object.text) ? baseFontOf(object.text) : '';
    if (font !== '' && isSymbolFont(font)) {
      symbolFonts.push({ object, font });
      return;
    }
    if (
      fontDictionary.test(object.text) &&
      /\/Encoding\s*(?:\d|<<)/.test(object.text) &&
      object.text.includes('/ToUnicode')
    )
      namedFonts.set(object.number, object);
    if (object.text.includes('/Differences')) {
      encodings.set(object.number, object);
      const known = knownNames(object.text, '');
      if (known !== object.text) change(object, known);
    }
  }

  function repairSymbolFont(object: PdfObject, font: string): void {
    const map = maps.get(referenceIn(object.text, 'ToUnicode'));
    if (map !== undefined) changeStream(map.object, withSymbols(map.map, font));
    if (map !== undefined || /\/Subtype\s*\/(?:Type0|CIDFont)/.test(object.text)) return;
    const encoding = encodings.get(referenceIn(object.text, 'Encoding'));
    if (encoding !== undefined) change(encoding, knownNames(encoding.text, font));
    else if (object.text.includes('/Differences')) change(object, knownNames(object.text, font));
    else {
      const others = object.text.replace(/\/Encoding(?![A-Za-z])/g, '/FormerEncoding').replace(/>>\s*$/, '');
      change(object, `${others}/Encoding ${symbolEncoding(font)}>>`);
    }
  }

  /** Lets the names of glyphs count where the map of the font has only private-use characters or blanks. */
  function repairNamedFont(object: PdfObject): void {
    const map = maps.get(referenceIn(object.text, 'ToUnicode'));
    if (map === undefined) return;
    const codes = namedCodes(encodings.get(referenceIn(object.text, 'Encoding'))?.text ?? object.text);
    const better = withoutVague(map.map, (code) => codes.has(code));
    if (better !== map.map) changeStream(map.object, withClusterCodes(withoutMeaningless(better), clusters));
  }

  return {
    objects(text) {
      if (changed.size > 0 || mayMatter.test(text)) for (const object of objectsIn(text)) seeObject(object);
    },
    stream(header, data) {
      if (/\/ObjStm\b/.test(header)) {
        const source = data.toString('latin1');
        if (mayMatter.test(source)) for (const object of packedObjects(header, source)) seeObject(object);
        return;
      }
      const isSmall = data.length <= MAX_VALUE;
      if (!isSmall && !/\/OC\s/.test(header) && !marks.some((mark) => data.includes(mark))) return;
      const object = objectsIn(header).at(-1);
      if (object === undefined) return;
      const source = data.toString('latin1');
      if (source.includes('beginbf')) {
        mapBytes += source.length;
        if (mapBytes <= MAX_MAP_BYTES) maps.set(object.number, { object, map: source });
        const map = withClusterCodes(withoutMeaningless(source), clusters);
        if (map !== source) changeStream(object, map);
        return;
      }
      const tagged = source.includes('/ActualText') ? withActualTextTags(source) : null;
      namedTexts.hold(object, tagged ?? source);
      if (!layers.hold(object, tagged ?? source)) fieldValues.hold(object, source);
      if (tagged === null) return;
      hasTags = true;
      changeStream(object, tagged);
    },
    apply(bytes) {
      for (const object of namedFonts.values()) repairNamedFont(object);
      for (const { object, font } of symbolFonts) repairSymbolFont(object, font);
      for (const { object, source } of fieldValues.withValues()) change(object, source);
      for (const { object, content } of namedTexts.withTexts()) {
        hasTags = true;
        changeStream(object, content);
        layers.hold(object, content);
      }
      for (const object of layers.hiddenAnnotations())
        change(object, object.text.replace(/\/F\s+\d+/, '').replace(/<</, '<</F 2'));
      for (const { object, content } of layers.withoutHidden()) {
        hasTags = true;
        changeStream(object, content);
      }
      const better = changed.size === 0 ? null : withUpdate(bytes, [...changed.values()]);
      return {
        bytes: better ?? bytes,
        hasTags: hasTags && better !== null,
        clusters: better === null ? [] : clusters,
      };
    },
  };
}

const baseFontOf = (font: string): string =>
  (/\/BaseFont\s*\/([^\s/<>()[\]{}%]+)/.exec(font)?.[1] ?? '').replace(/#([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Returns the number of the object that is the value of a key, or 0. */
const referenceIn = (object: string, key: string): number =>
  Number(new RegExp(`/${key}\\s+(\\d{1,10})\\s+\\d+\\s+R`).exec(object)?.[1] ?? 0);
