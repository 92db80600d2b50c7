import { canonicalLocale } from '../../core/knowledge/widget-locale.js';
import type english from '../strings/en.json';

type Messages = typeof english;
type Key = keyof Messages;

/** Texts of the widget in one language. */
export interface Strings {
  locale: string;
  dir: 'ltr' | 'rtl';
  /** Returns a text with its placeholders replaced. `count` also selects the plural form. */
  text(key: Key, values?: { count?: number; name?: string }): string;
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

/** Loads the texts of the first supported language. The build completes missing texts with English. */
export async function loadStrings(wanted: readonly string[]): Promise<Strings> {
  const locale = wanted.map(canonicalLocale).find((found) => found !== null) ?? 'en';
  return load(locale).catch(() => load('en'));
}

const load = async (locale: string): Promise<Strings> => {
  const { default: messages } = (await import(`../strings/${locale}.json`)) as { default: Messages };
  return strings(locale, messages);
};

export function strings(locale: string, messages: Messages): Strings {
  const plural = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  return {
    locale,
    dir: rightToLeft.has(locale) ? 'rtl' : 'ltr',
    text(key, { count, name } = {}) {
      const message: string | Record<string, string | undefined> = messages[key];
      const form =
        typeof message === 'string' ? message : (message[plural.select(count ?? 0)] ?? message.other ?? '');
      return form
        .replace('{count}', count === undefined ? '' : number.format(count))
        .replace('{name}', name ?? '');
    },
  };
}
