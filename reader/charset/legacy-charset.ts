import chardet from 'chardet';
import { scoreMultiByte, scoreSingleByte } from './charset-score.js';
import { decodeBytes } from './decode-bytes.js';

const multiByte = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'];
const singleByte = [
  'windows-1252',
  'windows-1251',
  'windows-1250',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'ibm850',
  'ibm852',
  'ibm866',
  'koi8-r',
  'koi8-u',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'windows-874',
  'macintosh',
];

/** Weight of the detector's confidence next to the score of the decoded letters. */
const DETECTOR_WEIGHT = 0.3;

/** By far the most frequent charset; used when the scores do not decide, as for very few letters. */
const USUAL = 'windows-1252';
const USUAL_BONUS = 0.05;
const USUAL_BONUS_OF_ONE_LETTER = 0.7;

/** Sample size in bytes, not counting ASCII. A larger sample does not change the result but takes longer. */
const ENOUGH_HIGH_BYTES = 3_000;

/**
 * Picks the charset that decodes the bytes to the most word-like text. The bytes are neither UTF-8 nor
 * UTF-16.
 */
export function detectLegacyCharset(bytes: Uint8Array): string {
  const sample = sampleOf(bytes);
  const confidence = detectorConfidence(sample);
  const high = sample.reduce((count, byte) => count + Number(byte >= 0x80), 0);
  const bonus = Math.max(USUAL_BONUS, USUAL_BONUS_OF_ONE_LETTER / Math.max(1, high) ** 1.5);
  let best = USUAL;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const charset of [...multiByte, ...singleByte]) {
    const text = decodeBytes(sample, charset);
    const score = multiByte.includes(charset) ? scoreMultiByte(text, charset) : scoreSingleByte(text);
    const total = score + DETECTOR_WEIGHT * (confidence.get(charset) ?? 0) + (charset === USUAL ? bonus : 0);
    if (total > bestScore + 1e-9) {
      best = charset;
      bestScore = total;
    }
  }
  return best === USUAL && isLatin9(sample) ? 'iso-8859-15' : best;
}

/**
 * Signs that windows-1252 has within words and after amounts where ISO-8859-15 has œ, Ÿ, Š, ž and €. Accents are left out,
 * because texts have them for apostrophes.
 */
const misread = /\p{L}[¼½¾¦¸]\p{L}|\d ?¤/u;

/** Returns whether bytes that look like windows-1252 are ISO-8859-15, which has no characters from 0x80 to 0x9f. */
const isLatin9 = (bytes: Uint8Array): boolean =>
  !bytes.some((byte) => byte >= 0x80 && byte < 0xa0) && misread.test(decodeBytes(bytes, USUAL));

/** Starts one letter before the first byte beyond ASCII, because pages begin with long markup. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length && (bytes[start] ?? 0) < 0x80) start++;
  let end = start;
  for (let high = 0; end < bytes.length && high < ENOUGH_HIGH_BYTES; end++) {
    if ((bytes[end] ?? 0) >= 0x80) high++;
  }
  return bytes.subarray(Math.max(0, start - 1), end);
}

/** Returns chardet's confidence by WHATWG name, 0 to 1. */
function detectorConfidence(sample: Uint8Array): Map<string, number> {
  const byCharset = new Map<string, number>();
  for (const { name, confidence } of chardet.analyse(sample)) {
    try {
      const charset = new TextDecoder(name).encoding;
      byCharset.set(charset, Math.max(byCharset.get(charset) ?? 0, confidence / 100));
    } catch {
      // this platform cannot decode the charset
    }
  }
  return byCharset;
}
