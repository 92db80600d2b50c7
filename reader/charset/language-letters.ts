/**
 * Letters beyond ASCII of languages in Latin script: the frequent ones of running text, then the others. A text decoded
 * in a wrong charset holds letters that no single language has, or many of its rare ones.
 */
const languages: readonly (readonly [frequent: string, rare: string])[] = [
  ['äöüß', ''], // German
  ['éèàê', 'çâîôûùëïœ'], // French
  ['áéíóñú', 'ü'], // Spanish
  ['ãçáéíóõ', 'êúâàô'], // Portuguese
  ['àèòùìé', 'îó'], // Italian
  ['àèéíóç', 'òúïü'], // Catalan
  ['ëéï', 'èöüóáêç'], // Dutch
  ['åäö', 'éüàšž'], // Swedish, Finnish
  ['æøå', 'éóòôäö'], // Danish, Norwegian
  ['áðéíóúýþæö', ''], // Icelandic
  ['áéíóú', 'àèìòù'], // Irish, Gaelic
  ['ąćęłńóśźż', ''], // Polish
  ['áčéěířšůýž', 'ďňťúó'], // Czech
  ['áčéíľšťúýž', 'äďĺňóôŕ'], // Slovak
  ['áéöőóíüű', 'ú'], // Hungarian
  ['ăâîşșţț', ''], // Romanian
  ['čćšžđ', ''], // Croatian, Slovenian
  ['ıüşğöçi̇', 'âîû'], // Turkish
  ['āēīšū', 'ļņķžčģ'], // Latvian
  ['ėšžųįąūč', 'ę'], // Lithuanian
  ['äõüö', 'šž'], // Estonian
  ['ëç', 'é'], // Albanian
  ['ăâđêôơư\u0300\u0301\u0303\u0309\u0323', 'áàãảạéèẽẻẹíìĩỉịóòõỏọúùũủụýỳỹỷỵ'], // Vietnamese
];

/** Points of a letter for the score of a charset, next to which other characters are worth -3 to 1. */
const FREQUENT = 1;
const RARE = 0.4;
const FOREIGN = -0.2;

const pointsByLanguage = languages.map(
  ([frequent, rare]) =>
    new Map([
      ...[...rare].map((letter) => [letter, RARE] as const),
      ...[...frequent].map((letter) => [letter, FREQUENT] as const),
    ]),
);

/** Returns the points of the letters in the language that they fit best. */
export function letterPoints(counts: ReadonlyMap<string, number>): number {
  if (counts.size === 0) return 0;
  return Math.max(
    ...pointsByLanguage.map((letters) => {
      let points = 0;
      for (const [letter, count] of counts) points += count * (letters.get(letter.toLowerCase()) ?? FOREIGN);
      return points;
    }),
  );
}
