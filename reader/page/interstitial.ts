import { interstitialSentences, interstitialTitles } from './fixed-phrases.js';

/** A longer text is content, whatever its title. Consent dialogs have a few paragraphs. */
const MAX_CHARS = 3_000;
/** A text as short as this needs only the title. */
const MAX_MESSAGE_CHARS = 60;
/** A text as short as this needs only one of the sentences. */
const MAX_NOTICE_CHARS = 400;
const MIN_SENTENCES = 2;
/** Maximum characters of text for each of the sentences. */
const CHARS_PER_SENTENCE = 400;
/** Words beside a phrase of several words in a part of a title. A single word must be alone. */
const MAX_OTHER_WORDS = 2;
const MAX_TITLE_CHARS = 200;

/**
 * Returns whether a text replaces the content of a page: a check for robots, a gate for consent or age, a notice of
 * maintenance, an error. Recognised by its title or heading together with its sentences, or by its sentences alone.
 */
export function isInterstitial(title: string | null, text: string): boolean {
  const body = text.replace(/^#+ /gm, '').trim();
  if (body.length > MAX_CHARS) return false;
  const sentences = new Set([...body.matchAll(interstitialSentences)].map(([found]) => found.toLowerCase()))
    .size;
  const firstLine = body.split('\n', 1)[0] ?? '';
  if (isTitle(title) || isTitle(firstLine))
    return body.length <= MAX_MESSAGE_CHARS || sentences * CHARS_PER_SENTENCE >= body.length;
  if (sentences === 0) return false;
  if (body.length <= MAX_NOTICE_CHARS) return isMostly(body);
  return sentences >= MIN_SENTENCES && sentences * CHARS_PER_SENTENCE >= body.length;
}

/** A day in a sentence, as in `until 5 March` or `bis zum 5.`, but no time and no IP address. */
const dated =
  /(?<!\p{L})(?:until|till|through|from|on|bis|vom|am|ab|jusqu['’]au|du|le|hasta|desde|el|fino|dal|al|até|tot|van|do|od|до|с)\s+(?!line)(?:\p{L}+\s+){0,2}\d{1,2}(?![\d:]|\s?(?:[ap]\.?m|o['’]clock|uhr|h|hours?|heures?|horas?)(?!\p{L})|(?:\.\d+){3})/iu;
/** Words for maintenance and closure. Notices that block a visitor may have a date too. */
const closure =
  /maintenance|\b(?:closed|closure)\b|wartung|geschlossen|ferm(?:é|eture)|cerrad|mantenimiento|chius|manutenzione|fechad|encerrad|manutenção|gesloten|onderhoud|zamknię|konserwac|закрыт|ремонт|техническ/iu;
/** Words for what a site or its service is, and for the site that speaks of itself. */
const site =
  /(?<!\p{L})(?:(?:web)?(?:sites?|seiten?|pages?)|website|servers?|(?<!out of )services?|systems?|shop|store|portal|online|sitio|página|sito|pagina|strona|сайт\p{L}*|request|error|we|wir|nous)(?!\p{L})/iu;

/** Returns whether a sentence announces when something other than the site is closed. */
const announcesOtherClosure = (sentence: string): boolean =>
  closure.test(sentence) && dated.test(sentence) && !site.test(sentence);

/** Returns whether such sentences make up most of a text. */
function isMostly(body: string): boolean {
  const sentences = body.split(/(?<=[.!?])\s|\n|(?<=[。！？])/);
  const found = sentences.filter(
    (sentence) => sentence.search(interstitialSentences) >= 0 && !announcesOtherClosure(sentence),
  );
  return found.join(' ').length >= body.length / 2;
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/** Returns whether a part of a title, between the separators of the site's name, is such a title. */
function isTitle(title: string | null): boolean {
  if (title === null || title.length > MAX_TITLE_CHARS) return false;
  return title.split(/\s[|\-–—·»›]\s|[:|…]\s?|\.{3}/).some((part) => {
    const match = interstitialTitles.exec(part);
    if (match === null) return false;
    const others = `${part.slice(0, match.index)} ${part.slice(match.index + match[0].length)}`;
    const isWord = !/[^\p{L}\p{N}]./u.test(match[0].trim());
    return wordsIn(others) <= (isWord ? 0 : MAX_OTHER_WORDS);
  });
}
