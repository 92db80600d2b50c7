/** Alphabets for list numbers, by their name in ECMA-376 part 1, 17.18.59. */
const alphabets: Readonly<Record<string, string>> = {
  russianLower: 'абвгдежзиклмнопрстуфхцчшщыэюя',
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ',
  hebrew2: 'אבגדהוזחטיכלמנסעפצקרשת',
  arabicAlpha: 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي',
  arabicAbjad: 'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ',
  thaiLetters: 'กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ',
  aiueoFullWidth:
    'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  aiueo: 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  iroha: 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス',
  irohaFullWidth:
    'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス',
  ganada: '가나다라마바사아자차카타파하',
  chosung: 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  ideographTraditional: '甲乙丙丁戊己庚辛壬癸',
  ideographZodiac: '子丑寅卯辰巳午未申酉戌亥',
};

/** First of 20 consecutive code points that represent 1 to 20. */
const firstSigns: Readonly<Record<string, number>> = {
  decimalEnclosedCircle: 0x2460,
  decimalEnclosedCircleChinese: 0x2460,
  decimalEnclosedParen: 0x2474,
  decimalEnclosedFullstop: 0x2488,
};

const ideographs = /^(chinese|taiwanese|japanese|ideograph|korean)\w*(Counting|Digital|Thousand|Legal)\w*$/;
const digitRows: Readonly<Record<string, number>> = {
  decimalFullWidth: 0xff10,
  decimalFullWidth2: 0xff10,
  thaiNumbers: 0x0e50,
  hindiNumbers: 0x0966,
};

/** Formats the number of a list item, in digits if the format is unknown. */
export function formatCount(count: number, format: string): string {
  if (format === 'decimalZero') return String(count).padStart(2, '0');
  if (format === 'lowerLetter') return letters(count);
  if (format === 'upperLetter') return letters(count).toUpperCase();
  if (format === 'lowerRoman') return roman(count).toLowerCase();
  if (format === 'upperRoman') return roman(count);
  if (format === 'ordinal') return `${count}${ordinalEnding(count)}`;
  if (format === 'numberInDash') return `- ${count} -`;
  if (format === 'hex') return count.toString(16).toUpperCase();
  const alphabet = alphabets[format];
  if (alphabet !== undefined && count >= 1 && count <= alphabet.length) return alphabet[count - 1] ?? '';
  const firstSign = firstSigns[format];
  if (firstSign !== undefined && count >= 1 && count <= 20) return String.fromCharCode(firstSign + count - 1);
  const zero = digitRows[format];
  if (zero !== undefined)
    return String(count).replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
  return ideographs.test(format) ? ideographic(count) : String(count);
}

function ordinalEnding(count: number): string {
  const isTeen = Math.trunc(count / 10) % 10 === 1;
  return (isTeen ? undefined : ['th', 'st', 'nd', 'rd'][count % 10]) ?? 'th';
}

/** Formats 1 to 99 in Chinese, Japanese and Korean numerals. */
function ideographic(count: number): string {
  if (count < 1 || count > 99) return String(count);
  const digits = '一二三四五六七八九';
  const tens = Math.trunc(count / 10);
  return `${tens > 1 ? digits[tens - 1] : ''}${tens > 0 ? '十' : ''}${digits[(count % 10) - 1] ?? ''}`;
}

/** a to z, then aa, bb, as in word processors. */
const letters = (count: number): string =>
  count < 1 || count > 780
    ? String(count)
    : String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));

const romanDigits: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
];

function roman(count: number): string {
  if (count < 1 || count > 3999) return String(count);
  let left = count;
  let text = '';
  for (const [digit, value] of romanDigits) {
    for (; left >= value; left -= value) text += digit;
  }
  return text;
}
