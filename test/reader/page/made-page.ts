import { sentence } from './sentences.js';

/** A made-up page of one kind with the expected and unwanted text. The structures are those of common systems. */
export interface PageKind {
  name: string;
  html: string;
  must: string[];
  mustNot: string[];
}

export const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;

export const menu =
  '<ul><li><a href="/">Start page</a></li><li><a href="/a">Our products</a></li><li><a href="/b">Contact desk</a></li></ul>';

export const each = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

export const teasers = (from: number): string =>
  each(
    4,
    (i) =>
      `<div class="item"><a href="/t${i}"><h3>Teaser ${from + i}</h3><p>${sentence(from + i)}</p></a></div>`,
  );
