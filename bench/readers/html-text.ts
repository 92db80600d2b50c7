import { load } from 'cheerio';
import type { Content } from './reader.js';

const blocks =
  'p, div, li, td, th, h1, h2, h3, h4, h5, h6, br, tr, pre, section, article, figcaption, blockquote, dt, dd';

/** The words of some HTML, those of neighbouring blocks apart: the same for what is expected and for every tool. */
export function htmlText(html: string): string {
  const $ = load(html);
  $('script, style, noscript, template').remove();
  $(blocks).after(' ').before(' ');
  return $('body').text();
}

export const textOf = (content: Content): string =>
  'html' in content ? htmlText(content.html) : content.text;
