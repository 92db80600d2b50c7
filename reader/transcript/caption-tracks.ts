import { decodeBody } from '../charset/decode-body.js';
import type { CaptionTrack, PageInput } from '../reading.js';
import { elementsOf, type MarkupElement } from './elements.js';
import { inlineTranscript, namedCaptions } from './json-ld-video.js';
import { configuredTracks } from './player-config.js';

const MAX_TRACKS = 100;
/**
 * Maximum length of a URL in characters. Longer URLs are not fetched, and the time to parse a host name grows with the
 * square of its length.
 */
const MAX_URL = 4096;
const captionFile = /\.(?:vtt|srt|ttml|dfxp|srv[1-3])$/i;

interface FoundTrack extends CaptionTrack {
  preferred: boolean;
}

/**
 * Returns the caption tracks of a page, best first: the page's language or the declared default, human captions before
 * speech recognition, then English. A transcript in the page's structured data is a track with the URL of the page.
 */
export function findCaptionTracks(input: PageInput): CaptionTrack[] {
  const { text: html } = decodeBody(input.bytes, input.contentType, true);
  const found: FoundTrack[] = [];
  const jsonLd: string[] = [];
  let base = input.url;
  let pageLanguage = '';
  const add = (track: Omit<FoundTrack, 'url'>, reference: string | undefined): void => {
    const url = absoluteUrl(reference, base);
    if (url !== null && found.length < MAX_TRACKS && !found.some((known) => known.url === url))
      found.push({ ...track, url });
  };
  for (const element of elementsOf(html, 'html', ['html', 'base', 'track'], ['script', 'a'])) {
    const { attributes, name, text } = element;
    if (name === 'html') pageLanguage = attributes.lang ?? '';
    else if (name === 'base' && attributes.href !== undefined)
      base = absoluteUrl(attributes.href, input.url) ?? base;
    else if (name === 'track') addTrackElement(element, add);
    else if (name === 'script' && /ld\+json/i.test(attributes.type ?? '')) jsonLd.push(text);
    else if (name === 'script') {
      for (const { url, ...track } of configuredTracks(text)) add(track, url);
    } else if (name === 'a' && captionFile.test(pathOf(attributes.href, base))) addLink(element, add);
  }
  for (const { url, ...track } of namedCaptions(jsonLd))
    add({ ...track, automatic: false, preferred: false }, url);
  if (inlineTranscript(jsonLd) !== null)
    add({ language: pageLanguage || null, label: null, automatic: false, preferred: false }, input.url);
  return ranked(found, pageLanguage).map(({ url, language, label, automatic }) => ({
    url,
    language,
    label,
    automatic,
  }));
}

type Add = (track: Omit<FoundTrack, 'url'>, reference: string | undefined) => void;

/** Adds a track element. The default kind is subtitles (https://html.spec.whatwg.org/#the-track-element). */
function addTrackElement({ attributes }: MarkupElement, add: Add): void {
  const kind = attributes.kind?.trim().toLowerCase() ?? 'subtitles';
  if (kind !== '' && kind !== 'captions' && kind !== 'subtitles') return;
  const label = attributes.label?.trim() || null;
  add(
    {
      language: attributes.srclang?.trim() || null,
      label,
      automatic: /auto[- ]?(?:matic|generated)/i.test(label ?? ''),
      preferred: attributes.default !== undefined,
    },
    attributes.src,
  );
}

function addLink({ attributes, text }: MarkupElement, add: Add): void {
  const { href, hreflang } = attributes;
  const language = hreflang ?? /[._-]([a-z]{2}(?:-[a-z]{2})?)\.\w+(?:$|[?#])/i.exec(href ?? '')?.[1] ?? null;
  const label = text.replace(/\s+/g, ' ').trim().slice(0, 200) || null;
  add({ language, label, automatic: false, preferred: false }, href);
}

function ranked(tracks: readonly FoundTrack[], pageLanguage: string): FoundTrack[] {
  const primary = (tag: string | null): string => tag?.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  const wanted = primary(pageLanguage);
  const rank = (track: FoundTrack): number => {
    const own = track.preferred || (wanted !== '' && primary(track.language) === wanted);
    return (own ? 0 : 4) + (track.automatic ? 2 : 0) + (primary(track.language) === 'en' ? 0 : 1);
  };
  return tracks
    .map((track, order) => ({ track, order, rank: rank(track) }))
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .map(({ track }) => track);
}

function absoluteUrl(reference: string | undefined, base: string): string | null {
  if (reference === undefined || reference.trim() === '' || reference.length > MAX_URL) return null;
  try {
    const url = new URL(reference.trim(), base);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

function pathOf(reference: string | undefined, base: string): string {
  const url = absoluteUrl(reference, base);
  return url === null ? '' : new URL(url).pathname;
}
