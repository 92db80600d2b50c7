import { boilerplateLines as boilerplateWords } from './words/boilerplate-lines.js';
import { controlLabels as controlWords } from './words/control-labels.js';
import { creditLines as creditWords } from './words/credit-lines.js';
import { endHeadings as endWords } from './words/end-headings.js';
import { logins } from './words/logins.js';
import { notFound } from './words/not-found.js';
import { oneOf } from './words/phrases.js';
import { scriptDemands as scriptWords } from './words/script-demands.js';

/*
 * What fixed phrases of the web look for in a text. The phrases themselves are data, by language, in ./words.
 */

/** Scripts that put no blanks between words. */
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;

/** A heading of what stands after the content: related pieces, discussion, sharing. */
export const endHeadings = new RegExp(String.raw`^${oneOf(endWords)}\s*[:：.…!?»›>→↓]*$`, 'iu');

/** Among the words of a title or heading: the page does not exist. */
export const notFoundPhrases = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}])${oneOf(notFound)}(?=$|[^\p{L}\p{N}]|${unspaced})`,
  'iu',
);

/** Said by an empty shell to readers without scripts. */
export const scriptDemands = new RegExp(oneOf(scriptWords), 'iu');

/** In the title or heading of a login wall. */
export const loginPhrases = new RegExp(
  String.raw`(?:^|[^\p{L}])${oneOf(logins)}(?=$|[^\p{L}]|\p{Script=Han})`,
  'iu',
);

/** A line that content systems put around every text starts like this. */
export const boilerplateLines = new RegExp(`^${oneOf(boilerplateWords)}`, 'iu');

/** A line that says who made a picture starts like this. */
export const creditLines = new RegExp(`^${oneOf(creditWords)}`, 'iu');

/** The whole text of a button or link that does something with the page instead of saying something. */
export const controlLabels = new RegExp(String.raw`^${oneOf(controlWords)}\s*[»›>→↓….]*$`, 'iu');
