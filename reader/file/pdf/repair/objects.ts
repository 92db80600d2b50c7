/** An indirect object, except for the data of a stream. */
export interface PdfObject {
  number: number;
  generation: number;
  text: string;
}

const start = /(?<!\d)(\d{1,10})\s+(\d{1,5})\s+obj\b/g;

/** Maximum length of a dictionary that maps names to objects. */
export const MAX_DICTIONARY = 16 * 1024;

/** Matches a dictionary whose values are references, such as the fonts or property lists of a page. */
export const onlyReferences = /^\s*<<(?:\s*\/[^\s/<>()[\]{}%]+\s+\d+\s+\d+\s+R)+\s*>>\s*$/;

/** Returns the value of a key: a dictionary, an array or a name in place, or the object that it refers to. */
export function entryIn(objects: ReadonlyMap<number, string>, text: string, key: string): string {
  const at = new RegExp(`/${key}(?![A-Za-z])\\s*`).exec(text);
  if (at === null) return '';
  const rest = text.slice(at.index + at[0].length, at.index + at[0].length + MAX_DICTIONARY);
  const [whole, number] = /^(\d{1,10})\s+\d+\s+R/.exec(rest) ?? [];
  if (whole !== undefined) return (objects.get(Number(number)) ?? '').slice(0, MAX_DICTIONARY);
  return bracketed(rest) || (/^\/[A-Za-z]+/.exec(rest)?.[0] ?? '');
}

/** Returns the objects in the source of a PDF between two streams. The last may be the dictionary of a stream. */
export function objectsIn(source: string): PdfObject[] {
  const starts = [...source.matchAll(start)];
  return starts.map((match, i) => ({
    number: Number(match[1]),
    generation: Number(match[2]),
    text: source
      .slice(match.index + match[0].length, starts[i + 1]?.index)
      .split('endobj', 1)
      .join(''),
  }));
}

/** Returns the objects of an object stream (ISO 32000-1, 7.5.7). */
export function packedObjects(dictionary: string, data: string): PdfObject[] {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? Number.NaN);
  if (!(first <= data.length)) return [];
  const pairs = [...data.slice(0, first).matchAll(/(\d{1,10})\s+(\d{1,10})/g)];
  return pairs.map((pair, i) => {
    const next = pairs[i + 1]?.[2];
    return {
      number: Number(pair[1]),
      generation: 0,
      text: data.slice(first + Number(pair[2]), next === undefined ? undefined : first + Number(next)),
    };
  });
}

/** Returns the dictionary or array at the start of a text, or an empty text. */
export function bracketed(text: string): string {
  if (!text.startsWith('<<') && !text.startsWith('[')) return '';
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/<<|>>|\[|\]/g)) {
    depth += bracket === '<<' || bracket === '[' ? 1 : -1;
    if (depth === 0) return text.slice(0, index + bracket.length);
  }
  return '';
}

const nameOrBracket = /<<|>>|\[|\]|\((?:\\.|[^\\()])*\)?|\/([^\s/<>()[\]{}%]+)(?:\s+(\d{1,10})\s+\d+\s+R)?/gs;

/** Returns the keys of a dictionary with numbers of objects or dictionaries in place, in linear time. */
export function* dictionariesIn(dictionary: string): Generator<{ name: string; value: number | string }> {
  let depth = 0;
  let name = '';
  let from = 0;
  for (const { 0: token, 1: key, 2: id, index } of dictionary.matchAll(nameOrBracket)) {
    if (key !== undefined && depth === 1) {
      name = key;
      if (id !== undefined) yield { name, value: Number(id) };
    } else if (token === '<<' || token === '[') {
      if (depth === 1) from = index;
      depth++;
    } else if (token === '>>' || token === ']') {
      depth--;
      if (depth === 1 && token === '>>') yield { name, value: dictionary.slice(from, index + token.length) };
    }
  }
}
