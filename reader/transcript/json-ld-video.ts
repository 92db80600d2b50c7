import { isRecord, parseJson } from '../page/facts/json-value.js';

const MAX_THINGS = 2_000;

/** A caption file named in structured data. */
export interface NamedCaption {
  url: string;
  language: string | null;
  label: string | null;
}

/** Returns the transcript in the page's JSON-LD (https://schema.org/transcript); null if there is none. */
export function inlineTranscript(blocks: readonly string[]): string | null {
  for (const thing of things(blocks)) {
    const { transcript } = thing;
    if (
      typeof transcript === 'string' &&
      transcript.trim() !== '' &&
      !/^https?:\/\/\S+$/i.test(transcript.trim())
    )
      return transcript;
  }
  return null;
}

/** Returns the caption files in the fields `caption`, `transcript` and `subtitles` of JSON-LD. */
export function namedCaptions(blocks: readonly string[]): NamedCaption[] {
  const found: NamedCaption[] = [];
  for (const thing of things(blocks)) {
    for (const value of [thing.caption, thing.captions, thing.transcript, thing.subtitles].flat()) {
      if (typeof value === 'string' && /^(?:https?:)?\/\S+$/i.test(value.trim()))
        found.push({ url: value.trim(), language: null, label: null });
      if (!isRecord(value)) continue;
      const url = value.contentUrl ?? value.url;
      if (typeof url !== 'string') continue;
      const language = isRecord(value.inLanguage)
        ? (value.inLanguage.alternateName ?? value.inLanguage.name)
        : value.inLanguage;
      found.push({ url, language: stringOrNull(language), label: stringOrNull(value.name) });
    }
  }
  return found;
}

export const stringOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : null;

/** Yields every object in the JSON-LD, at any depth. */
function* things(blocks: readonly string[]): Generator<Record<string, unknown>> {
  const queue: unknown[] = blocks.map(parseJson);
  for (let seen = 0; seen < queue.length && seen < MAX_THINGS; seen++) {
    const value = queue[seen];
    if (Array.isArray(value)) queue.push(...value.slice(0, MAX_THINGS));
    else if (isRecord(value)) {
      yield value;
      queue.push(
        ...Object.values(value)
          .slice(0, MAX_THINGS)
          .filter((inner) => typeof inner === 'object'),
      );
    }
  }
}
