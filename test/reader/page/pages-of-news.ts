import { type Language, said, spoken, spokenParagraphs } from './languages.js';
import { type PageKind, page } from './made-page.js';

/** An article with its publisher and author. */
interface Paper {
  language: Language;
  headline: string;
  publisher: string;
  author: string;
  /** Element of the standfirst, and of the lines about publisher and author. */
  standfirst: [string, string];
  about: (publisher: string, author: string) => string;
}

const papers: readonly Paper[] = [
  {
    language: 'de',
    headline: 'Im Hafen gehen die Uhren anders',
    publisher: 'Der Talbote',
    author: 'Ruth Amsel',
    standfirst: ['<p class="vorspann">', '</p>'],
    about: (publisher, author) =>
      `<p><em>${author} schreibt seit Jahren über Häfen und Uhren.</em></p><p><i>${publisher} erscheint zweimal in der Woche.</i></p>`,
  },
  {
    language: 'fr',
    headline: 'Au port, les horloges sont en avance',
    publisher: 'Le Courrier du Val',
    author: 'Odile Merle',
    standfirst: ['<h2 class="ch">', '</h2>'],
    about: (publisher, author) =>
      `<div class="z"><p>${publisher} est un journal indépendant fondé au siècle dernier.</p></div><div class="y"><p>${author} vit au bord de la mer.</p></div>`,
  },
  {
    language: 'es',
    headline: 'En el puerto los relojes van por delante',
    publisher: 'La Voz del Valle',
    author: 'Inés Mirlo',
    standfirst: ['<div class="x1"><p>', '</p></div>'],
    about: (publisher, author) =>
      `<hr><p>${publisher} se imprime en papel dos veces por semana.</p><p><em>${author} escribe sobre el mar.</em></p>`,
  },
  {
    language: 'ru',
    headline: 'В гавани часы идут по-своему',
    publisher: 'Вестник Долины',
    author: 'Анна Дрозд',
    standfirst: ['<figure><figcaption>', '</figcaption></figure>'],
    about: (publisher, author) =>
      `<p><i>${author} пишет о море и часах.</i></p><section><p>${publisher} выходит дважды в неделю.</p></section>`,
  },
  {
    language: 'en',
    headline: 'In the harbour clocks go their own way',
    publisher: 'The Valley Post',
    author: 'Jane Ousel',
    standfirst: ['<blockquote><p>', '</p></blockquote>'],
    about: (publisher, author) =>
      `<div><p>About ${publisher}: a paper that is printed twice a week.</p></div><p><em>${author} is a reporter who lives by the sea.</em></p>`,
  },
  {
    language: 'pl',
    headline: 'W porcie zegary chodzą inaczej',
    publisher: 'Głos Doliny',
    author: 'Ewa Kos',
    standfirst: ['<p>', '</p>'],
    about: (publisher, author) =>
      `<footer-x><p>${publisher} ukazuje się dwa razy w tygodniu.</p></footer-x><p><em>${author} pisze o morzu.</em></p>`,
  },
];

const article = ({ language, headline, publisher, author }: Paper, before: string, after: string): string =>
  page(
    `${headline} - ${publisher}`,
    `<div class="w"><h1>${headline}</h1><div class="text-of-it">${before}${spokenParagraphs(language, 0, 6)}${after}</div></div>`,
    `<script type="application/ld+json">${JSON.stringify({
      '@type': 'NewsArticle',
      headline,
      author: { '@type': 'Person', name: author },
      publisher: { '@type': 'Organization', name: publisher },
    })}</script>`,
  );

const count = (text: string, part: string): number => text.split(part).length - 1;

/** Pages whose standfirst, caption or quotation is a sentence of the text. */
export const pagesOfRepeats = papers.map((paper) => ({
  name: `a standfirst that repeats a sentence of the text (${paper.language})`,
  html: article(
    paper,
    paper.standfirst.join(said(paper.language, 4)),
    `${paper.standfirst[0]}${said(paper.language, 8)}${paper.standfirst[1]}<p>${spoken(paper.language, 3, 3)}</p>`,
  ),
  timesOf: (text: string): number[] => [4, 3, 5].map((n) => count(text, said(paper.language, n))),
}));

const captions = papers.map(
  (paper, i): PageKind => ({
    name: `captions of pictures and of a table in an article (${paper.language})`,
    html: article(
      paper,
      `<figure class="k${i}"><img src="a.jpg" alt=""><figcaption>${said(paper.language, 30)}</figcaption></figure>`,
      `<figure><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><figcaption>${said(paper.language, 34)}</figcaption></figure><p>${spoken(paper.language, 40, 3)}</p>`,
    ),
    must: [said(paper.language, 0), said(paper.language, 34), said(paper.language, 41)],
    mustNot: [said(paper.language, 30)],
  }),
);

const closingLines = papers.map(
  (paper): PageKind => ({
    name: `lines about publisher and author after an article (${paper.language})`,
    html: article(paper, '', paper.about(paper.publisher, paper.author)),
    must: [said(paper.language, 0), said(paper.language, 17)],
    mustNot: [`${paper.publisher} `, `${paper.publisher}:`, `${paper.author} `],
  }),
);

export const pagesOfNews: PageKind[] = [...captions, ...closingLines];
