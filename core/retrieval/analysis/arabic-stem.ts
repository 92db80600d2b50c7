/*
 * Light stemming of Arabic after Larkey, Ballesteros and Connell, "Light stemming for Arabic information retrieval"
 * (light10): removes conjunction and article, then the most common suffixes. Expects folded text.
 */

const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل'];
const ENDINGS = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'];
/** Minimum length of a stem in letters. */
const LEAST = 2;

export const isArabic = (codePoint: number): boolean => codePoint >= 0x0621 && codePoint <= 0x06d3;

export function arabicStem(word: string): string {
  let stem = word;
  if (stem.startsWith('و') && stem.length - 1 >= LEAST + 1) stem = stem.slice(1);
  const article = ARTICLES.find((one) => stem.startsWith(one) && stem.length - one.length >= LEAST);
  if (article !== undefined) stem = stem.slice(article.length);
  for (const ending of ENDINGS)
    if (stem.endsWith(ending) && stem.length - ending.length >= LEAST)
      stem = stem.slice(0, stem.length - ending.length);
  return stem;
}
