import { type Language, said, spoken, spokenParagraphs } from './languages.js';
import { each, type PageKind, page } from './made-page.js';

/** Markup of a board: around all posts, and one post with its author, date and text. */
interface Board {
  language: Language;
  title: string;
  around: [string, string];
  post: (author: string, date: string, text: string) => string;
  dates: string[];
}

const boards: readonly Board[] = [
  {
    language: 'de',
    title: 'Welche Uhr hält am längsten?',
    around: ['<div id="comments" class="feed comments">', '</div>'],
    post: (author, date, text) =>
      `<article class="bitrag kPost comment"><aside><h3><a href="/n/${author}">${author}</a></h3></aside><div class="zeit"><a href="#x">Geschrieben am ${date}</a></div><div class="wort">${text}</div></article>`,
    dates: ['3. Mai 2019', '4. Mai 2019', '9. Mai 2019', '1. Juni 2020'],
  },
  {
    language: 'fr',
    title: 'Le bac est en retard ce matin',
    around: ['<ul class="liste-messages Comments">', '</ul>'],
    post: (author, date, text) =>
      `<li class="Element Reponse"><div class="qui">${author}</div><time datetime="2021-03-04">${date}</time><div class="Comment"><div>${text}</div></div><a href="#r">Citer</a></li>`,
    dates: ['mars 2021', 'hier', 'il y a deux jours', 'avril 2021'],
  },
  {
    language: 'es',
    title: 'Pregunta sobre las barcas del puerto',
    around: ['<div class="hilo">', '</div>'],
    post: (author, date, text) =>
      `<table class="marco" id="m${author.length}${date.length}"><tr><td class="izq"><b>${author}</b><br>Miembro</td><td class="der"><div class="hora">${date}</div><div class="reply comment-body">${text}</div></td></tr></table>`,
    dates: ['12/03/2018 10:14', '12/03/2018 11:20', '13/03/2018 09:01', '15/03/2018 17:44'],
  },
  {
    language: 'ru',
    title: 'Кто чинит часы в долине?',
    around: ['<section class="kommentare respond">', '</section>'],
    post: (author, date, text) =>
      `<div class="zapis"><span class="imya">${author}</span> <span class="data">${date}</span><div class="soob">${text}</div></div>`,
    dates: ['02.11.2020', '03.11.2020', '05.11.2020', '09.11.2020'],
  },
  {
    language: 'ja',
    title: '渡し船の時刻について教えてください',
    around: ['<div class="discussion comments-list">', '</div>'],
    post: (author, date, text) =>
      `<div class="res"><dl><dt>${author}</dt><dd class="hi">${date}</dd><dd class="hon">${text}</dd></dl></div>`,
    dates: ['2022年3月4日', '2022年3月5日', '2022年3月9日', '2022年4月1日'],
  },
  {
    language: 'en',
    title: 'Which rope for a small boat?',
    around: ['<ol class="commentlisting">', '</ol>'],
    post: (author, date, text) =>
      `<li class="c2 comment"><div class="top"><span>by ${author}</span> <span>on ${date}</span></div><div class="bd">${text}</div><div class="acts"><a href="#a">Reply to This</a></div></li>`,
    dates: ['Tuesday May 7, 2019 @10:30AM', 'May 8, 2019', 'May 9, 2019', 'May 12, 2019'],
  },
];

const authors = ['anna_k', 'Borek', 'cpt.dunn', 'eve-lynn'];

const postsOf = ({ around, post, dates, language }: Board): string =>
  around[0] +
  each(4, (i) => post(authors[i] ?? '', dates[i] ?? '', `<p>${spoken(language, 20 + 3 * i, 3)}</p>`)) +
  around[1];

const notice = (language: Language, name: string, from: number): string =>
  `<div class="${name}"><p>${spoken(language, from, 3)}</p><p>${spoken(language, from + 3, 3)}</p></div>`;

const replies = (language: Language): string[] => [20, 23, 26, 31].map((n) => said(language, n));

const beside = boards.map(
  (board): PageKind => ({
    name: `a thread beside notices about an app and cookies (${board.language})`,
    html: page(
      `${board.title} - Board`,
      `${notice(board.language, 'pwa-box', 60)}<div class="w"><h1>${board.title}</h1>${postsOf(board)}</div>${notice(board.language, 'zz-note', 70)}`,
    ),
    must: [board.title, ...replies(board.language)],
    mustNot: [60, 65, 70, 75].map((n) => said(board.language, n)),
  }),
);

const opened = boards.map(
  (board): PageKind => ({
    name: `a declared thread with a long opening post of another kind (${board.language})`,
    html: page(
      `${board.title} - Board`,
      `<div class="w"><h1>${board.title}</h1><div class="first-one">${spokenParagraphs(board.language, 0, 4)}</div><h2>4 replies</h2>${postsOf(board)}</div>${notice(board.language, 'zz-note', 70)}`,
      `<script type="application/ld+json">{"@context":"https://schema.org","@type":"DiscussionForumPosting"}</script><meta property="article:published_time" content="2019-05-03">`,
    ),
    must: [board.title, said(board.language, 2), said(board.language, 11), ...replies(board.language)],
    mustNot: [70, 75].map((n) => said(board.language, n)),
  }),
);

const commented = boards.map(
  (board): PageKind => ({
    name: `comments on an article are no thread (${board.language})`,
    html: page(
      `${board.title} - Journal`,
      `<div class="w"><h1>${board.title}</h1><div class="text-of-it">${spokenParagraphs(board.language, 100, 8)}</div><div class="comments">${postsOf(board)}</div></div>`,
    ),
    must: [board.title, said(board.language, 102), said(board.language, 111)],
    mustNot: replies(board.language),
  }),
);

const article = [
  '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"x"}</script>',
  '<meta property="article:published_time" content="2019-05-03">',
];

const declaredArticles = boards.map(
  (board, i): PageKind => ({
    name: `a thread that is declared an article (${board.language})`,
    html: page(
      `${board.title} - Board`,
      `<div class="w"><h1>${board.title}</h1>${postsOf(board)}</div>${notice(board.language, 'zz-note', 70)}`,
      article[i % 2],
    ),
    must: [board.title, ...replies(board.language)],
    mustNot: [70, 75].map((n) => said(board.language, n)),
  }),
);

const shortArticles = boards.map(
  (board, i): PageKind => ({
    name: `comments on a short article are no thread (${board.language})`,
    html: page(
      `${board.title} - Journal`,
      `<div class="w"><h1>${board.title}</h1><div class="text-of-it">${spokenParagraphs(board.language, 100, 2)}</div><div class="comments">${postsOf(board)}</div></div>`,
      article[i % 2],
    ),
    must: [board.title, said(board.language, 101), said(board.language, 103)],
    mustNot: replies(board.language),
  }),
);

export const pagesOfThreads: PageKind[] = [
  ...beside,
  ...opened,
  ...commented,
  ...declaredArticles,
  ...shortArticles,
];
