import {
  bracketed,
  dictionariesIn,
  entryIn,
  MAX_DICTIONARY,
  onlyReferences,
  type PdfObject,
} from './objects.js';

/** Maximum bytes of content streams with layers in memory, until it is known which layers are hidden. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum objects about layers. */
const MAX_OBJECTS = 20_000;
/** Maximum versions of the catalog. */
const MAX_CATALOGS = 20;
/** Maximum dictionaries of names, and maximum combinations within them. */
const MAX_DICTIONARIES = 5_000;

/** Tag of a part in a hidden layer. */
export const HIDDEN = 'OC.hidden';

const about = /\/(?:OCProperties|OCGs?|OCMD|OFF|BaseState|Properties|Contents)(?![A-Za-z])/;
const listOfReferences = /^\s*\[(?:\s*\d+\s+\d+\s+R)+\s*\]\s*$/;
const partOfLayer = /\/OC\s*\/([^\s/<>()[\]{}%]+)\s+BDC(?![A-Za-z])/g;
const reference = /(\d{1,10})\s+\d{1,5}\s+R(?![A-Za-z])/g;

const ownLayer = /\/OC\s+(\d{1,10})\s+\d+\s+R/;

/** Returns whether a layer is hidden, or a combination of layers, given by its number or its dictionary. */
type IsOff = (layer: number | string) => boolean;

interface Layers {
  /** Takes an object that may tell about layers. */
  see(object: PdfObject): void;
  /** Takes a content stream, and returns whether it has parts in layers. */
  hold(object: PdfObject, content: string): boolean;
  /** Returns the annotations in hidden layers. */
  hiddenAnnotations(): PdfObject[];
  /** Returns the streams that have parts in hidden layers, with those parts tagged; forms in hidden layers are empty. */
  withoutHidden(): { object: PdfObject; content: string }[];
}

/** Follows optional content (ISO 32000-1, 8.11) as far as its default configuration hides it. */
export function createLayers(): Layers {
  const objects = new Map<number, string>();
  const streams = new Map<number, { object: PdfObject; content: string }>();
  const annotations = new Map<number, PdfObject>();
  let bytes = 0;
  let dictionariesLeft = MAX_DICTIONARIES;
  let combinationsLeft = MAX_DICTIONARIES;
  /** Names by their dictionary, which pages may share. */
  const known = new Map<string, Map<string, boolean>>();

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
      applyUsage(config, hidden);
    }
    return hidden;
  }

  /** Applies the usage dictionaries of layers (View state; ISO 32000-1, 8.11.4.4). */
  function applyUsage(config: string, hidden: Set<number>): void {
    for (const [usage] of entryOf(config, 'AS').matchAll(/<<[^<>]*>>/g)) {
      if (entryOf(usage, 'Event') !== '/View') continue;
      for (const id of referencesIn(entryOf(usage, 'OCGs'))) {
        const state = entryOf(entryOf(entryOf(objects.get(id) ?? '', 'Usage'), 'View'), 'ViewState');
        if (state === '/OFF') hidden.add(id);
        else if (state === '/ON') hidden.delete(id);
      }
    }
  }

  /** Returns whether a layer, or a combination of layers, is hidden. */
  function isHidden(id: number, hidden: ReadonlySet<number>): boolean {
    const text = objects.get(id) ?? '';
    return /\/Type\s*\/OCMD\b/.test(text) ? hides(text, hidden) : hidden.has(id);
  }

  /** Returns whether a combination of layers hides its parts. */
  function hides(text: string, hidden: ReadonlySet<number>): boolean {
    const expression = entryOf(text, 'VE');
    if (expression !== '') return !isVisible(expression, hidden);
    const list = entryOf(text, 'OCGs');
    const members = [...referencesIn(list.startsWith('[') ? list : groupAlone(text))];
    if (members.length === 0) return false;
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

  /** Returns the names in a dictionary of layers, and whether they are hidden. */
  function namesIn(properties: string, isOff: IsOff): Map<string, boolean> {
    let names = known.get(properties);
    if (names !== undefined) return names;
    names = new Map();
    if (dictionariesLeft-- <= 0) return names;
    for (const { name, value } of dictionariesIn(properties))
      names.set(name, isOff(value) && names.get(name) !== false);
    known.set(properties, names);
    return names;
  }

  /** Returns all names. A name that one dictionary uses for a visible layer is not hidden. */
  function allNames(isOff: IsOff): Map<string, boolean> {
    const names = new Map<string, boolean>();
    for (const text of objects.values()) {
      for (const { index } of text.matchAll(/\/Properties(?![A-Za-z])/g)) {
        const properties = entryOf(text.slice(index, index + MAX_DICTIONARY), 'Properties');
        if (known.has(properties)) continue;
        for (const [name, off] of namesIn(properties, isOff))
          names.set(name, off && names.get(name) !== false);
        if (dictionariesLeft <= 0) return new Map();
      }
    }
    return names;
  }

  /** Returns the names of layers in the resources of each page, by the numbers of its content streams. */
  function namesOfPages(isOff: IsOff): Map<number, Map<string, boolean>> {
    const byStream = new Map<number, Map<string, boolean>>();
    for (const page of objects.values()) {
      if (!page.includes('/Contents')) continue;
      const properties = entryOf(entryOf(page, 'Resources') || page, 'Properties');
      if (properties === '') continue;
      const names = namesIn(properties, isOff);
      const contents = /\/Contents\s*(\d{1,10}\s+\d+\s+R|\[[^\]]*\])/.exec(page)?.[1] ?? '';
      for (const id of referencesIn(contents)) byStream.set(id, names);
    }
    return byStream;
  }

  return {
    see(object) {
      const { number, text } = object;
      if (ownLayer.test(text) && /\/Rect\b/.test(text) && annotations.size < MAX_OBJECTS)
        annotations.set(number, object);
      if (
        objects.has(number) ||
        (objects.size < MAX_OBJECTS &&
          (about.test(text) ||
            onlyReferences.test(text) ||
            (text.length <= MAX_DICTIONARY && listOfReferences.test(text))))
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
    hiddenAnnotations() {
      const hidden = annotations.size === 0 ? new Set<number>() : hiddenGroups();
      return [...annotations.values()].filter(({ text }) =>
        isHidden(Number(ownLayer.exec(text)?.[1]), hidden),
      );
    },
    withoutHidden() {
      const hidden = streams.size === 0 ? new Set<number>() : hiddenGroups();
      if (hidden.size === 0) return [];
      const states = new Map<number, boolean>();
      const isOff = (layer: number | string): boolean => {
        if (typeof layer === 'string')
          return /\/OCMD\b/.test(layer) && combinationsLeft-- > 0 && hides(layer, hidden);
        const off = states.get(layer) ?? isHidden(layer, hidden);
        states.set(layer, off);
        return off;
      };
      const names = allNames(isOff);
      const byPage = namesOfPages(isOff);
      return [...streams.values()].flatMap(({ object, content }) => {
        const own = byPage.get(object.number) ?? names;
        const layer = Number(ownLayer.exec(object.text)?.[1] ?? Number.NaN);
        const shown = isOff(layer)
          ? ''
          : content.replace(partOfLayer, (part, name) =>
              own.get(name) === true ? `/${HIDDEN} <<>> BDC` : part,
            );
        return shown === content ? [] : [{ object, content: shown }];
      });
    },
  };
}

/** Maximum depth of an expression. */
const MAX_DEPTH = 8;

/** Evaluates an expression of layers (ISO 32000-1, 8.11.2.2), such as `[/And 7 0 R [/Not 6 0 R]]`. */
function isVisible(expression: string, hidden: ReadonlySet<number>, depth = 0): boolean {
  const [whole = '', operator] = /^\[\s*\/(And|Or|Not)\b/.exec(expression) ?? [];
  if (operator === undefined || depth > MAX_DEPTH) return true;
  const operands: boolean[] = [];
  for (let rest = expression.slice(whole.length).trimStart(); rest !== ''; rest = rest.trimStart()) {
    const nested = bracketed(rest);
    const [layer = '', id] = nested === '' ? (/^(\d{1,10})\s+\d+\s+R/.exec(rest) ?? []) : [nested];
    if (layer === '') break;
    operands.push(id === undefined ? isVisible(nested, hidden, depth + 1) : !hidden.has(Number(id)));
    rest = rest.slice(layer.length);
  }
  if (operator === 'Not') return operands[0] !== true;
  return operator === 'And' ? operands.every(Boolean) : operands.some(Boolean);
}

function* referencesIn(text: string): Generator<number> {
  for (const [, id] of text.matchAll(reference)) yield Number(id);
}

/** Returns the reference to the only group of a combination. */
const groupAlone = (text: string): string => /\/OCGs\s+(\d+\s+\d+\s+R)/.exec(text)?.[1] ?? '';
