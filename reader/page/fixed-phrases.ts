import { boilerplateLines as boilerplateWords } from './words/boilerplate-lines.js';
import { controlLabels as controlWords } from './words/control-labels.js';
import { creditLines as creditWords } from './words/credit-lines.js';
import { endHeadings as endWords } from './words/end-headings.js';
import { logins } from './words/logins.js';
import { notFound } from './words/not-found.js';
import { oneOf } from './words/phrases.js';
import { productEnds as productWords } from './words/product-ends.js';
import { scriptDemands as scriptWords } from './words/script-demands.js';

/* Patterns of phrases that are common on web pages. The phrases are data by language, in ./words. */

/** Scripts without blanks between words. */
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;

/** A heading of a part after the content: related pieces, discussion, sharing. */
export const endHeadings = new RegExp(String.raw`^${oneOf(endWords)}\s*[:：.…!?»›>→↓]*$`, 'iu');

/** A heading of a part of a product page that does not describe the product, with the number of its entries. */
export const productEnds = new RegExp(
  String.raw`^${oneOf(productWords)}\s*(?:[(（]\s?[\d.,]+\s?[)）]?)?\s*[:：…»›>→↓+]*$`,
  'iu',
);

/** In a title or heading: the page does not exist. */
export const notFoundPhrases = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}])${oneOf(notFound)}(?=$|[^\p{L}\p{N}]|${unspaced})`,
  'iu',
);

/** Shown by an empty page to browsers without scripts. */
export const scriptDemands = new RegExp(oneOf(scriptWords), 'iu');

/** In the title or heading of a login page. */
export const loginPhrases = new RegExp(
  String.raw`(?:^|[^\p{L}])${oneOf(logins)}(?=$|[^\p{L}]|\p{Script=Han})`,
  'iu',
);

/** Start of a line that content systems put around every text. */
export const boilerplateLines = new RegExp(`^${oneOf(boilerplateWords)}`, 'iu');

/** Start of a picture credit. */
export const creditLines = new RegExp(`^${oneOf(creditWords)}`, 'iu');

/** The whole text of a control such as a share button. */
export const controlLabels = new RegExp(String.raw`^${oneOf(controlWords)}\s*[»›>→↓….]*$`, 'iu');
