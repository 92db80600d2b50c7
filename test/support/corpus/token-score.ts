/** Overlap of two texts as multisets of words; each CJK character counts as a word. */
export interface TokenScore {
  precision: number;
  recall: number;
  f1: number;
}

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu;

function tokens(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(wordPattern) ?? [];
}

export function tokenScore(actual: string, expected: string): TokenScore {
  const wanted = new Map<string, number>();
  const expectedTokens = tokens(expected);
  for (const token of expectedTokens) wanted.set(token, (wanted.get(token) ?? 0) + 1);
  const actualTokens = tokens(actual);
  let shared = 0;
  for (const token of actualTokens) {
    const left = wanted.get(token) ?? 0;
    if (left === 0) continue;
    wanted.set(token, left - 1);
    shared++;
  }
  const precision = actualTokens.length === 0 ? 0 : shared / actualTokens.length;
  const recall = expectedTokens.length === 0 ? 0 : shared / expectedTokens.length;
  return { precision, recall, f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
