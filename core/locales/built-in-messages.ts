import type { BuiltInMessages } from './locale.schema.js';
import { localeOf, widgetLocales } from './locale-files.js';

const ENGLISH = 'en';

/** Returns the built-in messages in a canonical widget locale. Missing messages are in English. */
export function builtInMessages(locale: string | null): BuiltInMessages {
  const own = locale !== null && widgetLocales.includes(locale) ? localeOf(locale).messages : {};
  return { ...(localeOf(ENGLISH).messages as BuiltInMessages), ...own };
}
