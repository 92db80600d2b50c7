import { boilerplateLines as boilerplateWords } from './words/boilerplate-lines.js';
import { controlLabels as controlWords } from './words/control-labels.js';
import { creditLines as creditWords } from './words/credit-lines.js';
import { endHeadings as endWords } from './words/end-headings.js';
import { interstitialSentences as interstitialSentenceWords } from './words/interstitial-sentences.js';
import { interstitialTitles as interstitialTitleWords } from './words/interstitial-titles.js';
import { logins } from './words/logins.js';
import { notFound } from './words/not-found.js';
import { oneOf } from './words/phrases.js';
import { productEnds as productWords } from './words/product-ends.js';
import { scriptDemands as scriptWords } from './words/script-demands.js';

/* Patterns for phrases that are common on web pages. The phrases are data, by language, in ./words. */

/** Scripts without blanks between words. */
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;

/** Headings of parts after the content: related articles, discussion, sharing. */
export const endHeadings = new RegExp(String.raw`^${oneOf(endWords)}\s*[:：.…!?»›>→↓]*$`, 'iu');

/** Headings of parts of a product page that do not describe the product. They may state the number of entries. */
export const productEnds = new RegExp(
  String.raw`^${oneOf(productWords)}\s*(?:[(（]\s?[\d.,]+\s?[)）]?)?\s*[:：…»›>→↓+]*$`,
  'iu',
);

/** Titles and headings of pages that do not exist. */
export const notFoundPhrases = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}])${oneOf(notFound)}(?=$|[^\p{L}\p{N}]|${unspaced})`,
  'iu',
);

/** Texts that an empty page shows to browsers without scripts. */
export const scriptDemands = new RegExp(oneOf(scriptWords), 'iu');

/** Titles and headings of login pages. */
export const loginPhrases = new RegExp(
  String.raw`(?:^|[^\p{L}])${oneOf(logins)}(?=$|[^\p{L}]|\p{Script=Han})`,
  'iu',
);

/** Starts of lines that content management systems put around every text. */
export const boilerplateLines = new RegExp(`^${oneOf(boilerplateWords)}`, 'iu');

/** Starts of picture credits. */
export const creditLines = new RegExp(`^${oneOf(creditWords)}`, 'iu');

/** Labels of controls such as share buttons. They match the whole text. */
export const controlLabels = new RegExp(String.raw`^${oneOf(controlWords)}\s*[»›>→↓….]*$`, 'iu');

/** Titles and headings of pages that replace the content. */
export const interstitialTitles = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}])${oneOf(interstitialTitleWords)}(?=$|[^\p{L}\p{N}]|${unspaced})`,
  'iu',
);

/** Parts of sentences on pages that replace the content. */
export const interstitialSentences = new RegExp(
  String.raw`(?<=^|[^\p{L}\p{N}]|${unspaced})${oneOf(interstitialSentenceWords)}`,
  'gimu',
);
