import { entryIn, MAX_DICTIONARY, onlyReferences, type PdfObject } from './objects.js';

/** Maximum bytes of content streams with layers in memory, until it is known which layers are hidden. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum objects about layers. */
const MAX_OBJECTS = 20_000;
/** Maximum versions of the catalog. */
const MAX_CATALOGS = 20;
/** Maximum dictionaries of names to look at. */
const MAX_DICTIONARIES = 5_000;

/** Tag of a part in a hidden layer. */
export const HIDDEN = 'OC.hidden';

const about = /\/(?:OCProperties|OCGs|OCMD|OFF|BaseState|Properties)(?![A-Za-z])/;
const partOfLayer = /\/OC\s*\/([^\s/<>()[\]{}%]+)\s+BDC(?![A-Za-z])/g;
const reference = /(\d{1,10})\s+\d{1,5}\s+R(?![A-Za-z])/g;

const nameAndReference = /\/([^\s/<>()[\]{}%]+)\s+(\d{1,10})\s+\d+\s+R/g;

interface Layers {
  /** Takes an object that may tell about layers. */
  see(object: PdfObject): void;
  /** Takes a content stream, and returns whether it has parts in layers. */
  hold(object: PdfObject, content: string): boolean;
  /** Returns the streams that have parts in hidden layers, with those parts tagged; forms in hidden layers are empty. */
  withoutHidden(): { object: PdfObject; content: string }[];
}

/** Follows optional content (ISO 32000-1, 8.11) as far as its default configuration hides it. */
export function createLayers(): Layers {
  const objects = new Map<number, string>();
  const streams = new Map<number, { object: PdfObject; content: string }>();
  let bytes = 0;

  const entryOf = (text: string, key: string): string => entryIn(objects, text, key);

  function hiddenGroups(): Set<number> {
    const hidden = new Set<number>();
    const catalogs = [...objects.values()].filter((text) => text.includes('/OCProperties'));
    for (const catalog of catalogs.slice(-MAX_CATALOGS)) {
      const properties = entryOf(catalog, 'OCProperties');
      const groups = entryOf(properties, 'OCGs');
      const config = entryOf(properties, 'D');
      if (groups === '' || config === '') continue;
      if (entryOf(config, 'BaseState') === '/OFF') {
        for (const id of referencesIn(groups)) hidden.add(id);
        for (const id of referencesIn(entryOf(config, 'ON'))) hidden.delete(id);
      }
      for (const id of referencesIn(entryOf(config, 'OFF'))) hidden.add(id);
    }
    return hidden;
  }

  /** Returns whether a layer, or a combination of layers, is hidden. */
  function isHidden(id: number, hidden: ReadonlySet<number>): boolean {
    const text = objects.get(id) ?? '';
    if (!/\/Type\s*\/OCMD\b/.test(text)) return hidden.has(id);
    const members = [...referencesIn(entryOf(text, 'OCGs') || groupAlone(text))];
    if (members.length === 0 || /\/VE\s*[[\d]/.test(text)) return false;
    const off = members.filter((member) => hidden.has(member)).length;
    switch (entryOf(text, 'P')) {
      case '/AllOn':
        return off > 0;
      case '/AnyOff':
        return off === 0;
      case '/AllOff':
        return off < members.length;
      default:
        return off === members.length;
    }
  }

  /** Returns the names of hidden layers. A name that some pages use for a visible layer is left out. */
  function hiddenNames(hidden: ReadonlySet<number>): Set<string> {
    const names = new Map<string, boolean>();
    const known = new Map<string, boolean>();
    let left = MAX_DICTIONARIES;
    for (const text of objects.values()) {
      for (const { index } of text.matchAll(/\/Properties(?![A-Za-z])/g)) {
        if (left-- <= 0) return new Set();
        const properties = entryOf(text.slice(index, index + MAX_DICTIONARY), 'Properties');
        for (const [, name = '', id = ''] of properties.matchAll(nameAndReference)) {
          const isOff = known.get(id) ?? isHidden(Number(id), hidden);
          known.set(id, isOff);
          names.set(name, isOff && names.get(name) !== false);
        }
      }
    }
    return new Set([...names].filter(([, isOff]) => isOff).map(([name]) => name));
  }

  return {
    see({ number, text }) {
      if (
        objects.has(number) ||
        (objects.size < MAX_OBJECTS && (about.test(text) || onlyReferences.test(text)))
      )
        objects.set(number, text);
    },
    hold(object, content) {
      const isForm = /\/OC\s+\d+\s+\d+\s+R/.test(object.text);
      streams.delete(object.number);
      if (!isForm && content.search(partOfLayer) < 0) return false;
      bytes += content.length;
      if (bytes > MAX_BYTES) return false;
      streams.set(object.number, { object, content });
      return true;
    },
    withoutHidden() {
      const hidden = streams.size === 0 ? new Set<number>() : hiddenGroups();
      if (hidden.size === 0) return [];
      const names = hiddenNames(hidden);
      const known = new Map<number, boolean>();
      const isOff = (layer: number): boolean => {
        const off = known.get(layer) ?? isHidden(layer, hidden);
        known.set(layer, off);
        return off;
      };
      return [...streams.values()].flatMap(({ object, content }) => {
        const layer = Number(/\/OC\s+(\d{1,10})\s+\d+\s+R/.exec(object.text)?.[1] ?? Number.NaN);
        const shown = isOff(layer)
          ? ''
          : content.replace(partOfLayer, (part, name) => (names.has(name) ? `/${HIDDEN} <<>> BDC` : part));
        return shown === content ? [] : [{ object, content: shown }];
      });
    },
  };
}

function* referencesIn(text: string): Generator<number> {
  for (const [, id] of text.matchAll(reference)) yield Number(id);
}

/** Returns the reference to the only group of a combination. */
const groupAlone = (text: string): string => /\/OCGs\s+(\d+\s+\d+\s+R)/.exec(text)?.[1] ?? '';
