import { canonicalLocale } from '../../../../../../core/locales/canonical-locale.js';
import { reviewedLocales } from '../../../../../client/reviewed-locales.js';

const names = new Intl.DisplayNames('en', { type: 'language' });

/** Which texts the widget shows in a language. Empty if the language is not set. */
export function LanguageNote({ language }: { language: string }) {
  if (language === '') return <p class="hint">Not set: each visitor sees the language of the browser.</p>;
  const locale = canonicalLocale(language);
  if (locale === null) return <p class="hint">The widget has no texts in this language.</p>;
  return (
    <p class="hint">
      {names.of(locale)}
      {!reviewedLocales.includes(locale) &&
        '. Its texts were written by a language model, and no speaker has reviewed them yet.'}
    </p>
  );
}
