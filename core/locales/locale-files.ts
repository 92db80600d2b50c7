import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Locale } from './locale.schema.js';

/*
 * The folder `locales` contains a file for each language of the widget. Builds for browsers replace this module by a list
 * of the languages (web/bundle.ts).
 */

const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../locales/' : '../../../locales/',
  import.meta.url,
);

/** Languages of the widget, in canonical form. */
export const widgetLocales: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => basename(file, '.json'))
  .sort();

/** Part of a file that the service uses. The widget's other texts are in the widget's bundle. */
interface ServiceLocale extends Omit<Locale, 'widget'> {
  /** Label of the button that asks for a person, which the widget may send as a message. */
  talkToPerson: string | undefined;
}

const known = new Map<string, ServiceLocale>();

/** Returns the texts of a widget locale. Reads its file on first use. */
export function localeOf(name: string): ServiceLocale {
  let locale = known.get(name);
  if (locale === undefined) {
    const { widget, ...read } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Locale;
    locale = { ...read, talkToPerson: widget.talkToPerson };
    known.set(name, locale);
  }
  return locale;
}
