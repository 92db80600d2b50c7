import type { Attributes } from './attributes.js';

/** Longer style sheets are read up to here. */
const MAX_SHEET_CHARS = 300_000;
const MAX_CLASSES = 500;
const MAX_NAMES = 20;
/** Declarations that change what a text means. */
const meaningful =
  /vertical-align\s*:\s*(?:su|-?[\d.]|top|text-top)|line-through|bidi-override|font-family[^;]*(?:dings|symbol)/i;

/** Declarations of the classes in a page's style sheets. */
export interface ClassStyles {
  /** Adds the rules of a style element. Reads only selectors of a single class. */
  add(sheet: string): void;
  /** Returns the style of an element and of its classes. */
  styleOf(attributes: Attributes): string | undefined;
}

export function createClassStyles(): ClassStyles {
  const byClass = new Map<string, string>();
  /** Declarations by the whole value of a class attribute. */
  const known = new Map<string, string>();
  return {
    add(sheet) {
      known.clear();
      for (const rule of sheet.slice(0, MAX_SHEET_CHARS).split('}')) {
        const at = rule.lastIndexOf('{');
        const declarations = rule.slice(at + 1);
        if (at < 0 || !meaningful.test(declarations)) continue;
        const selectors = rule.slice(rule.lastIndexOf('{', at - 1) + 1, at);
        for (const selector of selectors.split(',')) {
          const name = /^(?:[a-z]+\d?)?\.([\w-]+)$/i.exec(selector.trim())?.[1];
          if (name !== undefined && byClass.size < MAX_CLASSES)
            byClass.set(name, `${byClass.get(name) ?? ''};${declarations}`.slice(-1000));
        }
      }
    },
    styleOf({ style, class: names }) {
      if (byClass.size === 0 || names === undefined) return style;
      let own = known.get(names);
      if (own === undefined) {
        own = names
          .split(/\s+/, MAX_NAMES)
          .map((name) => byClass.get(name) ?? '')
          .join('');
        known.set(names, own);
      }
      return own === '' ? style : `${own};${style ?? ''}`;
    },
  };
}
