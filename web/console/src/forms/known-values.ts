import { widgetLocales } from '../../../../core/locales/locale-files.js';
import type { Choice } from './field-props.js';

export const languageNames = () => new Intl.DisplayNames('en', { type: 'language' });

/** Returns the time zones of the browser, whose list has no UTC everywhere. */
export const timeZones = (): string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** Choices of text fields with known values, by the last part of their names. */
const known: Record<string, () => Choice[]> = {
  timeZone: () => timeZones().map((value) => ({ value, label: value })),
  language: () => {
    const names = languageNames();
    return widgetLocales.map((value) => ({ value, label: names.of(value) ?? value }));
  },
};

/** Returns the choices of a text field; the present value is one of them. */
export function knownChoices(name: string, value: string): readonly Choice[] | undefined {
  const choices = known[name.slice(name.lastIndexOf('.') + 1)]?.();
  if (!choices || value === '' || choices.some((choice) => choice.value === value)) return choices;
  return [{ value, label: value }, ...choices];
}
