import type { WordLists } from './locale.schema.js';
import { localeOf, widgetLocales } from './locale-files.js';

/** Word lists by language, which is a widget locale without its region. */
export const wordLists: ReadonlyMap<string, WordLists> = new Map(
  widgetLocales.flatMap((locale) => {
    const { words } = localeOf(locale);
    return words === null ? [] : [[locale.replace(/-.*/, ''), words] as const];
  }),
);
