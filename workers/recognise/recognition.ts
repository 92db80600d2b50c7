import { languageCode } from './language-codes.js';
import { isEngineInstalled, languageDataPath } from './language-data.js';

export interface OcrSettings {
  /** Names of language data, such as `eng`. Empty: scanned pages are not recognised. */
  languages: readonly string[];
  /** Maximum number of pages of a file to recognise. */
  maxPages: number;
}

/** What a worker can recognise. */
export interface Recognition {
  maxPages: number;
  /** Why nothing is recognised, for the maker of an agent; null if pages are recognised. */
  problem: string | null;
  /** Returns the installed language data for an agent with this locale, most likely first. */
  languagesFor(locale: string | null): readonly string[];
}

/** Finds the installed packages. */
export function createRecognition({ languages, maxPages }: OcrSettings): Recognition {
  const isInstalled = (language: string) => languageDataPath(language) !== null;
  const installed = isEngineInstalled() ? languages.filter(isInstalled) : [];
  return {
    maxPages,
    problem: installed.length > 0 ? null : problemOf(languages),
    languagesFor(locale) {
      const own = languageCode(locale);
      return [...new Set([...(own !== null && isInstalled(own) ? [own] : []), ...installed])];
    },
  };
}

function problemOf(languages: readonly string[]): string {
  if (languages.length === 0)
    return 'The pages are scanned, and this installation recognises no text (setting ocr.languages). Upload a copy with recognised text (OCR).';
  const packages = ['tesseract.js', ...languages.map((language) => `@tesseract.js-data/${language}`)];
  return `The pages are scanned, and this installation cannot recognise text: install ${packages.join(', ')} beside Cadre. Or upload a copy with recognised text (OCR).`;
}
