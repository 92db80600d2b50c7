import { menu, type PageKind, page, teasers } from './made-page.js';
import { paragraphs, prose, sentence } from './sentences.js';

export const pageKinds: PageKind[] = [
  {
    name: 'a blog post with sidebar, sharing, related posts and comments',
    html: page(
      'The rope maker | Some Blog',
      `<div id="page" class="hfeed site"><header id="masthead" class="site-header"><h1 class="site-title">Some Blog</h1><nav>${menu}</nav></header>
      <div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main">
      <article id="post-12" class="post-12 post type-post status-publish hentry category-navigation tag-share">
      <header class="entry-header"><h1 class="entry-title">The rope maker</h1><div class="entry-meta"><span class="posted-on">Posted on <a href="/d">3 March</a></span><span class="byline"> by <a href="/u">Ann</a></span></div></header>
      <div class="entry-content">${paragraphs(1, 4)}<h2>A second part</h2><p>${prose(60, 3)} See <a href="/x" class="markup--anchor">the drawings of 1910</a> for more of it.</p>
      <div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3><ul><li><a>Click to share on Tweeter</a></li></ul></div>
      <div id="jp-relatedposts" class="jp-relatedposts"><h3>Related</h3>${teasers(900)}</div></div>
      <footer class="entry-footer"><span class="cat-links">Posted in <a>Crafts and trades</a></span></footer></article>
      <nav class="navigation post-navigation"><a>Previous post title</a></nav>
      <div id="comments" class="comments-area"><h2 class="comments-title">2 thoughts on this</h2><ol class="comment-list"><li class="comment"><p>${prose(700, 3)}</p></li></ol>
      <div id="respond"><h3>Leave a Reply</h3><form><p>Your email address will not be published.</p><textarea></textarea></form></div></div>
      </main></div><div id="secondary" class="widget-area"><aside class="widget"><h2>Recent Posts</h2>${menu}<p>${prose(800, 2)}</p></aside></div></div>
      <footer id="colophon" class="site-footer"><p>${prose(850, 2)} All rights reserved.</p></footer></div>`,
    ),
    must: [
      '# The rope maker',
      sentence(1),
      sentence(16),
      '## A second part',
      'the drawings of 1910 for more',
      sentence(62),
    ],
    mustNot: [
      'Start page',
      'Share this',
      'Teaser 900',
      sentence(700),
      sentence(800),
      sentence(850),
      'Previous post',
      'Crafts and trades',
      'email address',
      'Recent Posts',
    ],
  },
  {
    name: 'a news article without main or article elements',
    html: page(
      'Bridge opens - Daily',
      `<div class="wrapper"><div class="topbar"><a>Log in</a> <a>Subscribe</a></div><div class="nav-main">${menu}</div>
      <div class="row"><div class="col-8"><h1>Bridge opens</h1><div class="teaser-text"><p>${prose(100, 2)}</p></div><div class="pic"><img src="x.jpg"></div>
      <div class="text-block">${paragraphs(110, 5)}</div><div class="ad-container">Advertisement ${sentence(500)}</div><div class="text-block">${paragraphs(150, 2)}</div>
      <div class="more-articles"><h3>More from Local</h3>${teasers(910)}</div></div>
      <div class="col-4"><div class="box"><h3>Most read</h3>${teasers(920)}</div><div class="newsletter-box"><p>${prose(600, 2)}</p></div></div></div>
      <div class="page-footer"><div><p>${prose(620, 2)}</p></div></div></div>`,
    ),
    must: ['# Bridge opens', sentence(100), sentence(110), sentence(129), sentence(157)],
    mustNot: [
      'Start page',
      'Subscribe',
      sentence(500),
      'Teaser 910',
      'Teaser 921',
      sentence(600),
      sentence(620),
      'Most read',
    ],
  },
  {
    name: 'a forum thread, every post of it',
    html: page(
      'Which rope? - Forum',
      `<div id="wrap"><div id="page-header"><h1>Forum name</h1><ul class="navlinks"><li><a>Board index</a></li></ul></div><div id="page-body"><h2 class="topic-title">Which rope?</h2>
      ${[0, 1, 2, 3, 4].map((i) => `<div id="p${i}" class="post has-profile bg${i % 2}"><div class="inner"><dl class="postprofile"><dt><a>Member ${i}</a></dt><dd>Posts: ${i}00</dd></dl><div class="postbody"><p class="author">by Member ${i} » Mon 3:0${i}</p><div class="content">${prose(200 + i * 10, i === 0 ? 8 : 2)}</div><div class="signature">Signature of ${i}</div></div></div></div>`).join('')}
      <div class="action-bar"><a>Post Reply</a></div></div><div id="page-footer"><ul class="nav"><li><a>Delete cookies</a></li></ul></div></div>`,
    ),
    must: ['Which rope?', sentence(200), sentence(207), sentence(210), sentence(221), sentence(241)],
    mustNot: ['Board index', 'Posts: 300', 'Post Reply', 'Delete cookies', 'Signature of 2'],
  },
  {
    name: 'a link post whose discussion is the content',
    html: page(
      'Rope making (example.org)',
      `<table class="itemlist"><tr><td class="title"><a href="x">Rope making</a></td></tr></table><table class="comment-tree">
      ${[0, 1, 2, 3].map((i) => `<tr class="comtr"><td><div class="comment"><div class="commtext">${prose(260 + i * 4, 3)}</div></div></td></tr>`).join('')}</table>`,
    ),
    must: [sentence(260), sentence(274)],
    mustNot: [],
  },
  {
    name: 'documentation with a sidebar tree and a table of contents',
    html: page(
      'Install | Tool docs',
      `<div class="navbar"><a>Docs</a><a>API</a></div><div class="docs-wrapper"><aside class="theme-doc-sidebar-container"><nav class="menu">${menu}</nav></aside>
      <main class="docMainContainer"><div class="row"><div class="col"><nav class="breadcrumbs"><a>Guides tree</a></nav><div class="tocMobile"><button>On this page</button></div>
      <div class="theme-doc-markdown markdown"><header><h1>Install</h1></header><p>${prose(300, 2)}</p><h2 class="anchor">Steps<a class="hash-link" href="#steps">#</a></h2><ol><li>Unpack the file</li><li>Run it</li></ol>
      <pre><code class="language-bash">npm install tool\n  --save</code></pre><div class="admonition admonition-note"><p>${sentence(310)}</p></div><table><thead><tr><th>Flag</th><th>Meaning</th></tr></thead><tbody><tr><td>-a</td><td>All of it</td></tr></tbody></table></div>
      <footer class="theme-doc-footer"><a>Edit this page</a></footer></div><div class="col"><div class="table-of-contents"><ul><li><a>Steps link</a></li></ul></div></div></div></main></div><footer class="footer"><p>Copyright text</p></footer>`,
    ),
    must: [
      '# Install',
      '## Steps\n',
      '1. Unpack the file\n2. Run it',
      '```bash\nnpm install tool\n  --save\n```',
      sentence(310),
      '| Flag | Meaning |\n| --- | --- |\n| -a | All of it |',
    ],
    mustNot: ['Guides tree', 'Steps link', 'Edit this page', 'Copyright text', 'Start page'],
  },
  {
    name: 'a product page',
    html: page(
      'Oak ladder – Shop',
      `<div class="header-wrapper"><div class="mega-menu">${menu}</div></div><div class="breadcrumb"><a>Home</a> / <a>Ladders</a></div><div class="product-page"><div class="product-gallery"></div>
      <div class="product-summary"><h1 class="product-title">Oak ladder</h1><span class="price">€ 129.00</span><div class="short-description"><p>${prose(330, 2)}</p></div><form class="cart"><button>Add to cart</button></form></div>
      <div class="product-tabs"><h2>Description</h2><div class="tab-panel" style="display:none"><p>${prose(340, 5)}</p></div><h2>Data</h2><table class="specs"><tr><th>Weight</th><td>9 kg</td></tr><tr><th>Height</th><td>3 m</td></tr></table></div></div>
      <section class="related products"><h2>Related products</h2>${teasers(930)}</section><div class="footer-container"><p>${prose(640, 2)}</p></div><div id="cookie-law-info-bar"><p>We use cookies. ${prose(660, 2)}</p></div>`,
    ),
    must: ['Oak ladder', '€ 129.00', sentence(330), sentence(340), '| Weight | 9 kg |'],
    mustNot: ['Add to cart', 'Teaser 930', sentence(640), 'We use cookies', 'Ladders', 'Start page'],
  },
  {
    name: 'questions and answers that open with a click',
    html: page(
      'Questions',
      `<nav class="navbar collapse">${menu}</nav><main><h1>Questions</h1><div class="accordion">
      <div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button" aria-expanded="false">How long does it take?</button></h2><div class="accordion-collapse collapse" aria-hidden="true"><p>${sentence(360)}</p></div></div>
      <button class="accordion" aria-expanded="false">What does the delivery cost?</button><div class="panel-collapse" style="display: none"><p>${sentence(361)}</p></div>
      <details><summary>May I return it?</summary><p>${sentence(362)}</p></details></div></main>`,
    ),
    must: [
      'How long does it take?',
      sentence(360),
      'What does the delivery cost?',
      sentence(361),
      'May I return it?',
      sentence(362),
    ],
    mustNot: ['Start page'],
  },
  {
    name: 'a site of page-builder widgets',
    html: page(
      'About us',
      `<div class="elementor"><section class="elementor-section"><div class="elementor-container"><div class="elementor-column"><div class="elementor-widget-wrap">
      ${[0, 1, 2, 3].map((i) => `<div class="elementor-element elementor-widget elementor-widget-text-editor"><div class="elementor-widget-container"><h2>Part ${i}</h2><p>${prose(380 + i * 4, 3)}</p></div></div>`).join('')}</div></div></div></section></div>`,
    ),
    must: [sentence(380), sentence(384), sentence(388), sentence(394), '## Part 2'],
    mustNot: [],
  },
  {
    name: 'a page laid out with tables',
    html: page(
      'Village history',
      `<table width="100%"><tr><td colspan="2"><font size="5">Village</font></td></tr><tr><td width="150"><a href="1">Home link</a><br><a href="2">History link</a><br><a href="3">Photos link</a></td>
      <td><h1>Village history</h1><font>${prose(420, 5)}<br><br>${prose(430, 4)}</font></td></tr><tr><td colspan="2"><a href="m">Webmaster link</a></td></tr></table>`,
    ),
    must: ['# Village history', sentence(420), sentence(433)],
    mustNot: ['History link', 'Webmaster link'],
  },
  {
    name: 'an encyclopedia article',
    html: page(
      'Rope - Encyclopedia',
      `<div id="mw-navigation">${menu}</div><div id="content" class="mw-body"><h1 id="firstHeading">Rope</h1><div id="bodyContent"><div id="siteSub" class="noprint">From Encyclopedia</div><div id="mw-content-text"><div class="mw-parser-output">
      <table class="infobox"><tr><th>Material</th><td>Hemp</td></tr><tr><th>Use</th><td>Ships</td></tr></table><p>A <b>rope</b> is a group of <a href="/yarn">yarns</a> that are <a href="/twist">twisted</a>. ${prose(450, 3)}<sup class="reference"><a>[1]</a></sup></p>
      <div id="toc" class="toc"><h2>Contents</h2><ul><li><a>1 History entry</a></li><li><a>2 Making entry</a></li><li><a>3 Use entry</a></li></ul></div>
      <h2><span class="mw-headline">History</span><span class="mw-editsection">[<a>edit</a>]</span></h2><p>${prose(460, 4)}</p><ul><li>${sentence(470)}</li><li><a href="/knot">Knots</a> hold it</li></ul></div></div>
      <div id="catlinks" class="catlinks"><a>Category: Ropework</a></div></div></div><div id="footer"><ul><li>This page was last edited on 1 May.</li></ul></div>`,
    ),
    must: [
      '# Rope',
      'A rope is a group of yarns that are twisted.',
      '| Material | Hemp |',
      '## History\n',
      sentence(463),
      `- ${sentence(470)}`,
      '- Knots hold it',
    ],
    mustNot: ['History entry', 'edit]', 'Ropework', 'last edited'],
  },
  {
    name: 'two lines in a bare body',
    html: '<body><p>Hello</p></body>',
    must: ['Hello'],
    mustNot: [],
  },
  {
    name: 'a short page beside a long frame',
    html: page(
      'Opening hours',
      `<header class="site-header"><div class="logo">Shop</div><nav>${menu}</nav></header><main><h1>Guide</h1><p>Our opening hours are nine to five.</p></main><div class="sidebar"><p>${prose(480, 4)}</p></div><footer><p>${prose(680, 4)}</p></footer>`,
    ),
    must: ['# Guide', 'Our opening hours are nine to five.'],
    mustNot: [sentence(480), sentence(680), 'Start page'],
  },
  {
    name: 'a German article with foreign phrases around it',
    html: page(
      'Die Brücke | Zeitung',
      `<div id="kopf">${menu}</div><div class="artikel"><h1>Die Brücke</h1><p class="vorspann">Die neue Brücke über den Fluss wird am Montag eröffnet, sagt die Stadt.</p><p>${'Der Bau hat drei Jahre gedauert und viel Geld gekostet. '.repeat(8)}</p><p>${'Die Anwohner freuen sich über den kurzen Weg zur Arbeit. '.repeat(8)}</p>
      <h3>Das könnte Sie auch interessieren</h3><ul><li><a>Ein anderer Artikel</a></li><li><a>Noch ein Artikel</a></li></ul><h3>Schreibe einen Kommentar</h3><p>Deine E-Mail-Adresse wird nicht veröffentlicht.</p></div><div class="fusszeile"><a>Impressum</a> <a>Datenschutz</a></div>`,
    ),
    must: ['# Die Brücke', 'wird am Montag eröffnet', 'drei Jahre gedauert', 'kurzen Weg zur Arbeit'],
    mustNot: ['Ein anderer Artikel', 'Kommentar', 'E-Mail-Adresse', 'Impressum', 'Start page'],
  },
  {
    name: 'a Japanese article',
    html: page(
      '橋の話',
      `<div class="gnavi">${menu}</div><div id="main"><h1>橋の話</h1><p>新しい橋が月曜日に開通します。${'工事には三年かかり、多くの人が働きました。'.repeat(6)}</p><p>${'住民は近道ができたことを喜んでいます。'.repeat(6)}</p><div class="relatedArticle"><h2>関連記事</h2><ul><li><a>別の記事</a></li></ul></div></div><div id="footer"><p>無断転載を禁じます。</p></div>`,
    ),
    must: ['新しい橋が月曜日に開通します。', '住民は近道'],
    mustNot: ['別の記事', '無断転載', 'Start page'],
  },
  {
    name: 'a question with answers',
    html: page(
      'How to tie a knot? - Q&amp;A',
      `<header class="top-bar">${menu}</header><div class="container"><div id="left-sidebar">${menu}</div><div id="content"><div id="question-header"><h1><a class="question-hyperlink">How to tie a knot?</a></h1></div><div id="mainbar"><div class="question"><div class="votecell"><div class="vote">12</div></div><div class="postcell"><div class="s-prose js-post-body"><p>${prose(520, 3)}</p><pre><code>loop()</code></pre></div><div class="post-taglist"><a>knots-tag</a></div></div></div>
      <div id="answers"><h2>2 Answers</h2>${[0, 1].map((i) => `<div class="answer"><div class="votecell">5</div><div class="answercell"><div class="s-prose js-post-body"><p>${prose(530 + i * 5, 4)}</p></div></div></div>`).join('')}</div></div><div id="sidebar"><div class="module"><h4>Linked</h4><a>Linked question one</a><a>Linked question two</a></div></div></div></div>`,
    ),
    must: ['How to tie a knot?', sentence(520), '```\nloop()\n```', sentence(533), sentence(538)],
    mustNot: ['knots-tag', 'Linked question', 'Start page'],
  },
  {
    name: 'a list of posts with their texts',
    html: page(
      'All posts',
      `<div id="head">${menu}</div><div id="posts">${[0, 1, 2, 3].map((i) => `<div class="post-entry"><h2><a href="/${i}">Entry ${i}</a></h2><div class="post-body"><p>${prose(560 + i * 6, 5)}</p></div></div>`).join('')}</div>`,
    ),
    must: ['Entry 0', sentence(560), 'Entry 3', sentence(578)],
    mustNot: ['Start page'],
  },
  {
    name: 'a page that lists links with a word on each',
    html: page(
      'Useful links',
      `<nav>${menu}</nav><div class="body"><h1>Useful links</h1><ul>${[0, 1, 2, 3, 4, 5].map((i) => `<li><a href="/${i}">Society number ${i} of the rope makers</a></li>`).join('')}</ul></div>`,
    ),
    must: ['Society number 0 of the rope makers', 'Society number 5 of the rope makers'],
    mustNot: ['Start page'],
  },
  {
    name: 'a whole page inside a form',
    html: page(
      'Notice board',
      `<form id="aspnetForm"><input type="hidden" name="__VIEWSTATE"><div class="menu-strip">${menu}</div><div class="main-area"><h1>Notice board</h1>${paragraphs(2000, 3)}</div></form>`,
    ),
    must: ['# Notice board', sentence(2000), sentence(2011)],
    mustNot: ['Start page'],
  },
  {
    name: 'a team page whose biographies are the content',
    html: page(
      'Team',
      `<main><h1>Team</h1>${[0, 1, 2, 3, 4].map((i) => `<div class="member"><h3>Person ${i}</h3><div class="author-bio"><p>${prose(2100 + i * 3, 2)}</p></div></div>`).join('')}</main>`,
    ),
    must: ['Person 0', sentence(2100), sentence(2113)],
    mustNot: [],
  },
  {
    name: 'a list with plain words before the content in a div soup',
    html: page(
      'Soup',
      `<div><div><div><a href=1>One thing</a> <a href=2>Two things</a> <a href=3>Three things</a></div><div><div><h1>Soup</h1><div>${prose(2200, 6)}<br><br>${prose(2210, 6)}</div><div>${prose(2220, 3)}</div></div><div><a>Next dish</a></div></div></div><div>© 2020 Kitchen</div></div>`,
    ),
    must: ['# Soup', sentence(2200), sentence(2215), sentence(2222)],
    mustNot: ['Two things', 'Next dish', '© 2020'],
  },
  {
    name: 'what follows the text under well-known headings and phrases, without any names',
    html: page(
      'Plain',
      `<h1>Plain</h1>${paragraphs(2300, 4)}<p>Posted in crafts by Ann</p><h3>About the author</h3><p>${prose(2330, 2)}</p><p>Copyright © 2020 by somebody</p>`,
    ),
    must: [sentence(2300), sentence(2315)],
    mustNot: ['Posted in crafts', 'About the author', sentence(2330), 'by somebody'],
  },
  {
    name: 'an article beside other prose without names',
    html: page(
      'The mill today',
      `<div><div><p>${prose(2400, 3)}</p><p>${prose(2404, 3)}</p></div><article><h1>The mill today</h1>${paragraphs(2410, 4)}</article><div><p>${prose(2430, 4)}</p></div></div>`,
    ),
    must: ['# The mill today', sentence(2410), sentence(2425)],
    mustNot: [sentence(2400), sentence(2430)],
  },
  {
    name: 'a team page with an introduction, and biographies under a name of clutter',
    html: page(
      'Our team',
      `<main><h1>Our team</h1><p>${prose(2500, 3)}</p>${[0, 1, 2, 3].map((i) => `<div><h3>Person ${i}</h3><div class="bio"><p>${prose(2510 + i * 3, 2)}</p></div></div>`).join('')}</main>`,
    ),
    must: [sentence(2500), 'Person 0', sentence(2510), sentence(2520)],
    mustNot: [],
  },
  {
    name: 'a question whose comments are its answers',
    html: page(
      'Which knot holds?',
      `<div class="post"><h1>Which knot holds?</h1><p>${prose(2600, 2)}</p></div><div class="comments">${[0, 1, 2].map((i) => `<div class="comment"><p>${prose(2610 + i * 5, 4)}</p></div>`).join('')}</div>`,
    ),
    must: [sentence(2600), sentence(2610), sentence(2623)],
    mustNot: [],
  },
  {
    name: 'a heading and a lead in the header above the content',
    html: page(
      'Rope care | Makers',
      `<header class="site-header"><a href="/">Makers home</a><nav>${menu}</nav></header><header class="page-header"><h1>Rope care</h1><p class="lead">${sentence(2700)}</p></header><div class="content-area"><div class="text-content">${paragraphs(2710, 4)}</div></div>`,
    ),
    must: ['# Rope care', sentence(2700), sentence(2710), sentence(2725)],
    mustNot: ['Makers home', 'Start page'],
  },
];
