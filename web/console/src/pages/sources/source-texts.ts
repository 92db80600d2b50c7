import type { FieldTexts } from '../../forms/layout.js';

/** Texts of the forms that add and change sources. */
export const sourceTexts: FieldTexts = {
  title: { about: 'Shown as the source of an answer.' },
  content: { label: 'Text', about: 'What the agent should know. Headings (#), lists and tables help it.' },
  questions: { about: 'Different ways in which users may ask it.' },
  answer: { about: 'The answer to all of these questions.' },
  url: { about: 'A public address. If you leave out https://, it is added.' },
  limit: { label: 'Pages at most', about: 'How many pages the agent should read.' },
  depth: { about: 'How many links from the address the agent should follow.' },
  include: { label: 'Only these paths', about: 'For example /guide/**. Leave it empty for all.' },
  exclude: { label: 'Not these paths', about: 'For example /archive/**.' },
};

/** A type of source that can be added through the API. */
export interface Way {
  /** Last part of the path below `sources`. */
  place: string;
  name: string;
  title: string;
  /** Start of the message if the source already exists. Set for types that the API checks. */
  same?: string;
}

export const ways: readonly Way[] = [
  { place: 'text', name: 'Text', title: 'Add a text', same: 'This text' },
  {
    place: 'qna',
    name: 'Question and answer',
    title: 'Add a question with its answer',
    same: 'This answer to these questions',
  },
  { place: 'url', name: 'Page or site', title: 'Add a page, a sitemap or a whole site' },
];
