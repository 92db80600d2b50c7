import { canonicalLocale } from '../../../core/locales/canonical-locale.js';
import type { WidgetTexts } from '../../../core/locales/locale.schema.js';

/** The build adds the greeting of the agent's own sentences. */
type Texts = WidgetTexts & { greeting: string };
type Key = keyof Texts;

/** Texts of the widget in one language. */
export interface Strings {
  locale: string;
  dir: 'ltr' | 'rtl';
  /**
   * Returns a text with its placeholders replaced. `count` also selects the plural form. `seconds` is the time until an
   * event, `duration` a length of time in seconds.
   */
  text(key: Key, values?: { count?: number; name?: string; seconds?: number; duration?: number }): string;
  /** Returns how long ago a time (Unix seconds) was, in words. */
  ago(at: number): string;
}

const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Syrc', 'Thaa']);

/** Loads the texts of the first supported language. The build takes them from `locales` and fills gaps with English. */
export async function loadStrings(wanted: readonly string[]): Promise<Strings> {
  const locale = wanted.map(canonicalLocale).find((found) => found !== null) ?? 'en';
  return load(locale).catch(() => load('en'));
}

const load = async (locale: string): Promise<Strings> => {
  const { default: messages } = (await import(`../../../locales/${locale}.json`)) as { default: Texts };
  return strings(locale, messages);
};

/** A wait is shown in seconds up to this number, then in minutes up to this number, then in hours. */
const MAX_COUNT = 120;
const MAX_HOURS = 36;
const DAY_MINUTES = 24 * 60;

export function strings(locale: string, messages: Texts): Strings {
  const plural = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  const ahead = new Intl.RelativeTimeFormat(locale);
  const past = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const length = (seconds: number): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(
      Math.max(1, Math.ceil(seconds / 60)),
    );
  const time = (seconds: number): string => {
    if (seconds <= MAX_COUNT) return ahead.format(seconds, 'second');
    const minutes = Math.ceil(seconds / 60);
    return minutes <= MAX_COUNT
      ? ahead.format(minutes, 'minute')
      : ahead.format(Math.ceil(minutes / 60), 'hour');
  };
  return {
    locale,
    dir: rightToLeft.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr',
    ago(at) {
      const minutes = Math.round((at - Date.now() / 1000) / 60);
      if (minutes > -MAX_COUNT) return past.format(Math.min(0, minutes), 'minute');
      return minutes > -MAX_HOURS * 60
        ? past.format(Math.round(minutes / 60), 'hour')
        : past.format(Math.round(minutes / DAY_MINUTES), 'day');
    },
    text(key, { count, name, seconds, duration } = {}) {
      const message: string | Record<string, string | undefined> = messages[key];
      const form =
        typeof message === 'string' ? message : (message[plural.select(count ?? 0)] ?? message.other ?? '');
      return form
        .replace('{count}', count === undefined ? '' : number.format(count))
        .replace('{name}', name ?? '')
        .replace('{time}', seconds === undefined ? length(duration ?? 0) : time(seconds));
    },
  };
}
