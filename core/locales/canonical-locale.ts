import { widgetLocales } from './locale-files.js';

/** Maximum length of a tag in characters. Real tags are much shorter. */
const MAX_TAG = 128;

const canonical = new Set(widgetLocales);
/** Languages that share one translation. `Intl.Locale` already replaces retired codes (iw, in, tl, mo). */
const sameLanguage = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
]);
const traditionalRegions = new Set(['TW', 'HK', 'MO']);

const parseTag = (tag: string): Intl.Locale | null => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
};

const chinese = ({ script, region }: Intl.Locale): string => {
  const traditional = script === undefined ? traditionalRegions.has(region ?? '') : script === 'Hant';
  return traditional ? 'zh-tw' : 'zh-cn';
};

/**
 * Returns the widget locale for a BCP 47 tag (`en_US` → `en`, `zh-Hant` → `zh-tw`); null if the widget does not
 * support the language. Ignores case, accepts `-` and `_`, and allows script, region and extensions. Never throws.
 */
export const canonicalLocale = (text: string): string | null => {
  if (text.length > MAX_TAG) return null;
  const locale = parseTag(text.trim().replaceAll('_', '-'));
  if (!locale) return null;
  const { language } = locale;
  const name = language === 'zh' ? chinese(locale) : (sameLanguage.get(language) ?? language);
  return canonical.has(name) ? name : null;
};
