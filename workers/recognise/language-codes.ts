/**
 * Names of language data by the widget's locales: ISO 639-3 with the script where a language has two. A locale that
 * is missing here has no data.
 */
const codes: Readonly<Record<string, string>> = {
  af: 'afr', ar: 'ara', az: 'aze', be: 'bel', bg: 'bul', bn: 'ben', bs: 'bos', ca: 'cat', cs: 'ces', cy: 'cym',
  da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa', et: 'est', eu: 'eus', fa: 'fas', fi: 'fin', fil: 'fil',
  fr: 'fra', ga: 'gle', gl: 'glg', gu: 'guj', he: 'heb', hi: 'hin', hr: 'hrv', hu: 'hun', hy: 'hye', id: 'ind',
  is: 'isl', it: 'ita', ja: 'jpn', ka: 'kat', kk: 'kaz', km: 'khm', kn: 'kan', ko: 'kor', lt: 'lit', lv: 'lav',
  mk: 'mkd', ml: 'mal', mn: 'mon', mr: 'mar', ms: 'msa', my: 'mya', ne: 'nep', nl: 'nld', no: 'nor', pa: 'pan',
  pl: 'pol', pt: 'por', ro: 'ron', ru: 'rus', sk: 'slk', sl: 'slv', sq: 'sqi', sr: 'srp', sv: 'swe', sw: 'swa',
  ta: 'tam', te: 'tel', th: 'tha', tr: 'tur', uk: 'ukr', ur: 'urd', uz: 'uzb', vi: 'vie', 'zh-cn': 'chi_sim',
  'zh-tw': 'chi_tra',
}; // biome-ignore format: a table

/** Returns the name of the language data for a locale of the widget, or null. */
export const languageCode = (locale: string | null): string | null =>
  locale !== null && Object.hasOwn(codes, locale) ? (codes[locale] ?? null) : null;
