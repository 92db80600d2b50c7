import type { FieldTexts } from '../../forms/layout.js';

/** Texts of the forms that add and change sources. */
export const sourceTexts: FieldTexts = {
  title: { about: 'Shown as the source of an answer.' },
  content: { label: 'Text', about: 'What the agent should know. Headings (#), lists and tables help it.' },
  questions: { about: 'Different ways in which users may ask it.' },
  answer: { about: 'The answer to all of these questions.' },
  url: { about: 'A public address. If you leave out https://, it is added.' },
  limit: { label: 'Pages at most', about: 'How many pages of the sitemap the agent should read.' },
};
