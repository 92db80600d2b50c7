/** Scripts in which a character is roughly one token. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const CHARACTERS_PER_TOKEN = 3;

/** Estimates the number of tokens in a text. Errs on the high side, because tokenizers differ. */
export function estimateTokens(text: string): number {
  const single = text.match(dense)?.length ?? 0;
  return Math.ceil(single + (text.length - single) / CHARACTERS_PER_TOKEN);
}
