import { type Language, said, spokenParagraphs } from './languages.js';
import type { PageKind } from './made-page.js';

/** Pages whose tags would lose the content if it were read as marked. */

const opening = (language: Language): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${said(language, 0)}</title>`;

const kept = (language: Language, name: string, html: string): PageKind => ({
  name: `${name} (${language})`,
  html,
  must: [1, 12].map((n) => said(language, n)),
  mustNot: [],
});

/** Names of the element with the text. */
const places: readonly (readonly [Language, string, string])[] = [
  ['de', 'div class="seite"', 'div'],
  ['fr', 'section id="contenu-principal"', 'section'],
  ['es', 'table><tr><td', 'td></tr></table'],
  ['ru', 'main', 'main'],
  ['ja', 'div class="c-17 x"', 'div'],
];

const menu = '<div class="top"><a href="/">A</a> <a href="/b">B</a></div>';

const lateContent = places.map(([language, open, close]) =>
  kept(
    language,
    'text after an early end of the page',
    `${opening(language)}</head><body>${menu}</body></html><${open}>${spokenParagraphs(language, 0, 5)}</${close}></body></html>`,
  ),
);

const strayMarks = places.map(([language, open, close]) =>
  kept(
    language,
    'text after a CDATA mark that never ends',
    `${opening(language)}</head><body>${menu}<![CDATA[ <${open}>${spokenParagraphs(language, 0, 5)}</${close}></body></html>`,
  ),
);

const enclosedMarks = places.map(([language, open, close]) =>
  kept(
    language,
    'text between CDATA marks',
    `${opening(language)}</head><body>${menu}<![CDATA[<!-- x -->${'<b>a</b>'.repeat(3)}<${open}>${spokenParagraphs(language, 0, 5)}</${close}>]]></body></html>`,
  ),
);

const nestedPages = places.map(([language, open, close], i) => {
  const inner = `<html><head><meta name="a" content="b"></head><body>${menu}</body></html>`;
  return kept(
    language,
    'a page in the head of a page',
    `${opening(language)}${i % 2 === 0 ? inner : `<div>${inner}</div>`}</head><body><${open}>${spokenParagraphs(language, 0, 5)}</${close}></body></html>`,
  );
});

const unclosedDrawings = places.map(([language, open, close]) =>
  kept(
    language,
    'text after a drawing that never ends',
    `${opening(language)}</head><body>${menu}<svg viewBox="0 0 1 1"><g><path d="M0 0"><${open}>${spokenParagraphs(language, 0, 5)}</${close}></body></html>`,
  ),
);

export const pagesOfRepairs: PageKind[] = [
  ...lateContent,
  ...strayMarks,
  ...enclosedMarks,
  ...nestedPages,
  ...unclosedDrawings,
];
