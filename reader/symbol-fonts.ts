/**
 * Characters that symbol fonts show, by the codes of the fonts. Sources: Unicode's mapping of Wingdings and Webdings
 * (L2/12-368), Adobe's tables of ZapfDingbats and Symbol. Rare pictographs are replaced by the nearest common
 * character.
 */

/** Characters of consecutive codes. U+FFFD means that a code has no equivalent. */
type Run = readonly [first: number, characters: string];

const wingdings: readonly Run[] = [
  [0x20, ' ✏✂✁👓🔔📖🕯☎✆✉📧📪📫📬📭📁📂📄📃📑🗄⏳⌨🖱🖲💻🖴💾💾✇✍'],
  [0x40, '✍✌👌👍👎☜☞☝☟✋☺😐☹💣☠🏳🏱✈☼💧❄✝✞✟✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓&&●❍■☐☐☐☐⬧⧫◆❖⬥☒⍓⌘❀✿❝❞'],
  [0x80, '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿'],
  [0x9e, '·•▪○○○◉◎○▪☐▲✦★✶✴✹✵⊕⌖⟡⌑�✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛'],
  [0xd5, '⌫⌦➢➢➢➢➲➲➲➲←→↑↓↖↗↙↘←➔↑↓↖↗↙↘⇦⇨⇧⇩⇔⇕⇖⇗⇙⇘▫▫✗✓☒☑'],
];

const wingdings2: readonly Run[] = [
  [0x20, ' '],
  [0x4f, '✗✓☒☑☒☒⊗⊗⊘'],
  [0x69, '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿'],
  [0x95, '·••●●◉◉◎'],
  [0x9e, '▪▪■□□☐◻■'],
];

const wingdings3: readonly Run[] = [
  [0x20, ' ←→↑↓↖↗↙↘'],
  [0x70, '▲▼△▽◀▶◁▷◣◢◤◥◀▶▲'],
  [0x80, '▼'],
];

const webdings: readonly Run[] = [
  [0x20, ' '],
  [0x33, '◀▶▲▼'],
  [0x59, '♥'],
  [0x61, '✔🚲□'],
  [0x67, '■'],
  [0x69, 'ℹ'],
  [0x6e, '●'],
  [0x72, '✗'],
];

const zapfDingbats: readonly Run[] = [
  [0x20, ' ✁✂✃✄☎✆✇✈✉☛☞✌✍✎✏✐✑✒✓✔✕✖✗✘✙✚✛✜✝✞✟✠✡✢✣✤✥✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋●❍■❏❐❑❒▲▼◆❖◗❘❙❚❛❜❝❞'],
  [0xa1, '❡❢❣❤❥❦❧♣♦♥♠①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿➀➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓➔→↔↕➘➙➚➛➜➝➞➟➠➡➢➣➤➥➦➧➨➩➪➫➬➭➮➯'],
  [0xf1, '➱➲➳➴➵➶➷➸➹➺➻➼➽➾'],
];

const symbol: readonly Run[] = [
  [0x20, ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_�αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'],
  [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…��↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑����������⟩∫'],
];

const fonts: readonly (readonly [name: RegExp, runs: readonly Run[]])[] = [
  [/^wingdings ?2/i, wingdings2],
  [/^wingdings ?3/i, wingdings3],
  [/^wingdings/i, wingdings],
  [/^webdings/i, webdings],
  [/dingbats|^d050000l/i, zapfDingbats],
  [/^(?:symbol(?:mt|ps|std|neu)?(?![a-z])|standardsym|s050000l)/i, symbol],
];

/** Codes of Wingdings that are usual as bullets and boxes. Other codes of an unknown font are read as those of Symbol. */
const usualWingdings = new Set([
  0x4a, 0x6c, 0x6e, 0x6f, 0x71, 0x76, 0x78, 0xa7, 0xa8, 0xd8, 0xdf, 0xe0, 0xe1, 0xe2, 0xe8, 0xef, 0xf0, 0xfb,
  0xfc, 0xfd, 0xfe,
]);

const tables = new Map<readonly Run[], ReadonlyMap<number, string>>();

function tableOf(runs: readonly Run[]): ReadonlyMap<number, string> {
  const known = tables.get(runs);
  if (known) return known;
  const table = new Map<number, string>();
  for (const [first, characters] of runs) {
    for (const [i, character] of [...characters].entries()) {
      if (character !== '\ufffd') table.set(first + i, character);
    }
  }
  tables.set(runs, table);
  return table;
}

/** Name without the tag of an embedded subset (`ABCDEF+`, ISO 32000-1, 9.6.4). */
const plainName = (font: string): string => font.replace(/^[A-Z]{6}\+/, '');

const runsOf = (font: string): readonly Run[] | undefined =>
  fonts.find(([name]) => name.test(plainName(font)))?.[1];

/** Returns whether the codes of the font are symbols and not letters. */
export const isSymbolFont = (font: string): boolean => runsOf(font) !== undefined;

/**
 * Returns the character that a symbol font shows for a code below 0x100 or from U+F000 to U+F0FF; empty if it has no
 * equivalent.
 */
export function symbolOf(code: number, font: string): string {
  const low = code & 0xff;
  const runs = runsOf(font) ?? (usualWingdings.has(low) ? wingdings : symbol);
  return tableOf(runs).get(low) ?? '';
}

/** Bullets that say yes or no, or leave it open. */
const answers = /^[✓✔✗✘☐☑☒]$/u;

/** Returns the bullet of a list with a blank if it says yes or no; '' for other bullets. */
export function answerOf(bullet: string, font: string): string {
  const shown = shownSymbols(bullet, font);
  return answers.test(shown) ? `${shown} ` : '';
}

/** Returns a text in this font as it is shown. Characters that are not codes of a symbol font are unchanged. */
export function shownSymbols(text: string, font: string): string {
  const codes = isSymbolFont(font) ? /[\u0020-\u00ff\uf020-\uf0ff]/g : /[\uf020-\uf0ff]/g;
  return text.replace(codes, (char) => symbolOf(char.charCodeAt(0), font));
}
