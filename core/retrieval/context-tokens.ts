/** Scripts in which a character is about a token. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const CHARACTERS_PER_TOKEN = 3;

/** How many tokens a text is to a language model, on the safe side: every model counts otherwise. */
export function estimateTokens(text: string): number {
  const single = text.match(dense)?.length ?? 0;
  return Math.ceil(single + (text.length - single) / CHARACTERS_PER_TOKEN);
}
