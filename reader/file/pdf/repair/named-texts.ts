import { tagOf } from './actual-text.js';
import { dictionariesIn, entryIn, MAX_DICTIONARY, onlyReferences, type PdfObject } from './objects.js';
import { stringAt } from './pdf-string.js';

/** Maximum bytes of content streams in memory, until the lists that they name are known. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum objects that are kept. */
const MAX_OBJECTS = 20_000;

const about = /\/(?:ActualText|Properties|Contents)(?![A-Za-z])/;
const numberedPart = /\/[^\s/<>()[\]{}%]+\s*<<\s*\/MCID\s+(\d{1,10})\s*>>\s*BDC(?![A-Za-z])/g;
const namedPart = /\/[^\s/<>()[\]{}%]+\s*\/([^\s/<>()[\]{}%]+)\s+BDC(?![A-Za-z])/g;

interface NamedTexts {
  /** Takes an object that may be a page, its resources or a property list. */
  see(object: PdfObject): void;
  /** Takes a content stream. */
  hold(object: PdfObject, content: string): void;
  /** Returns the streams with parts whose property list has a replacement text, with the text in their tags. */
  withTexts(): { object: PdfObject; content: string }[];
}

/**
 * Follows replacement texts (ISO 32000-1, 14.9.4) in property lists that content streams name (14.6.2). A name counts
 * for one page, so each stream is read with the resources of its page. Elements of the structure name parts by numbers.
 */
export function createNamedTexts(): NamedTexts {
  const objects = new Map<number, string>();
  const streams = new Map<number, { object: PdfObject; content: string }>();
  let bytes = 0;
  let hasTexts = false;
  /** Texts by their dictionary, which pages may share. */
  const known = new Map<string, Map<string, string>>();

  /** Returns the replacement texts of a page by the names of their lists. */
  function textsOf(page: string): Map<string, string> {
    const resources = entryIn(objects, page, 'Resources');
    const properties = entryIn(objects, resources === '' ? page : resources, 'Properties');
    let texts = known.get(properties);
    if (texts !== undefined) return texts;
    texts = new Map();
    known.set(properties, texts);
    for (const { name, value: given } of dictionariesIn(properties)) {
      const list = typeof given === 'string' ? given : (objects.get(given) ?? '');
      const at = list.search(/\/ActualText(?![A-Za-z])/);
      const value = at < 0 ? null : stringAt(list, at + '/ActualText'.length);
      if (value !== null) texts.set(name, value.text);
    }
    return texts;
  }

  /** Returns the replacement texts of structure elements (14.9.4) with one part, by page and number of the part. */
  function textsOfElements(): Map<number, Map<number, string>> {
    const byPage = new Map<number, Map<number, string>>();
    for (const element of objects.values()) {
      const at = element.search(/\/ActualText(?![A-Za-z])/);
      if (at < 0) continue;
      const page = /\/Pg\s+(\d{1,10})\s+\d+\s+R/.exec(element)?.[1];
      const part = /\/K\s*(?:\[\s*)?(?:<<[^<>]*\/MCID\s+)?(\d{1,10})\s*(?:>>|[\]/])/.exec(element)?.[1];
      const value = !page || !part ? null : stringAt(element, at + '/ActualText'.length);
      if (value === null) continue;
      const texts = byPage.get(Number(page)) ?? new Map<number, string>();
      byPage.set(Number(page), texts.set(Number(part), value.text));
    }
    return byPage;
  }

  return {
    see({ number, text }) {
      const isKnown = objects.has(number);
      const matters = text.length <= MAX_DICTIONARY && (about.test(text) || onlyReferences.test(text));
      if (!isKnown && (!matters || objects.size >= MAX_OBJECTS)) return;
      objects.set(number, text);
      hasTexts ||= text.includes('/ActualText');
    },
    hold(object, content) {
      streams.delete(object.number);
      if (content.search(namedPart) < 0 && content.search(numberedPart) < 0) return;
      bytes += content.length;
      if (bytes <= MAX_BYTES) streams.set(object.number, { object, content });
    },
    withTexts() {
      if (!hasTexts || streams.size === 0) return [];
      const elements = textsOfElements();
      return [...objects].flatMap(([number, page]) => {
        if (!page.includes('/Contents')) return [];
        const texts = textsOf(page);
        const parts = elements.get(number);
        if (texts.size === 0 && parts === undefined) return [];
        const contents = /\/Contents\s*(\d{1,10}\s+\d+\s+R|\[[^\]]*\])/.exec(page)?.[1] ?? '';
        return [...contents.matchAll(/(\d{1,10})\s+\d+\s+R/g)].flatMap(([, id]) => {
          const stream = streams.get(Number(id));
          if (stream === undefined) return [];
          const tagged = (part: string, text: string | undefined) =>
            text === undefined ? part : `${tagOf(text)} <<>> BDC`;
          const content = stream.content
            .replace(namedPart, (part, name) => tagged(part, texts.get(name)))
            .replace(numberedPart, (part, id) => tagged(part, parts?.get(Number(id))));
          return content === stream.content ? [] : [{ object: stream.object, content }];
        });
      });
    },
  };
}
