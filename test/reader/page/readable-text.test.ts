import t from '../../support/t.js';
import { contentOf, extractHtml } from './extract.js';
import { paragraphs, prose, sentence } from './sentences.js';

const textOf = (t: Parameters<typeof contentOf>[0], body: string): string =>
  contentOf(
    t,
    extractHtml(`<!doctype html><title>T</title><body><main><h1>Title here</h1>${body}</main>`),
  ).text.replace('# Title here\n\n', '');

t.test('headings, lists, quotes and definitions stay readable', async (t) => {
  t.equal(textOf(t, '<h2>Part <em>one</em></h2><p>Text</p><h3></h3>'), '## Part one\n\nText');
  t.equal(
    textOf(t, '<ul><li>One<ul><li>Deep</li></ul></li><li><p>Two</p><p>More</p></li></ul>'),
    '- One\n  - Deep\n- Two\n  More',
  );
  t.equal(textOf(t, '<ol start="3"><li>Three</li><li>Four</li></ol>'), '3. Three\n4. Four');
  t.equal(
    textOf(t, '<blockquote><p>Said so.</p><footer>Ann</footer></blockquote><p>He said <q>no</q>.</p>'),
    '> Said so.\n\n> Ann\n\nHe said “no”.',
  );
  t.equal(textOf(t, '<dl><dt>Term</dt><dd>Meaning</dd></dl>'), 'Term\n\nMeaning');
});

t.test('links keep their text, and line breaks become lines', async (t) => {
  t.equal(
    textOf(t, '<p>See <a href="/x">the <b>plan</b></a> of<br>  1910 (<code>a|b</code>).</p>'),
    'See the plan of\n1910 (a|b).',
  );
});

t.test('text beside elements in a page without a body element stays on one line', async (t) => {
  t.equal(contentOf(t, extractHtml('Hello <b>big</b> <i>wide</i> world')).text, 'Hello big wide world');
});

t.test('data tables become rows, layout tables do not', async (t) => {
  t.equal(
    textOf(
      t,
      '<table><caption>Sizes</caption><thead><tr><th>Name</th><th>Size<br>(m)</th></tr></thead><tr><td>A</td><td>1</td></tr></table>',
    ),
    'Sizes\n\n| Name | Size (m) |\n| --- | --- |\n| A | 1 |',
  );
  t.equal(
    textOf(
      t,
      '<table role="presentation"><tr><td>Left</td><td>Right</td></tr><tr><td>a</td><td>b</td></tr></table>',
    ),
    'Left\n\nRight\n\na\n\nb',
  );
  t.equal(
    textOf(t, '<table><tr><td><h2>In</h2></td><td>a cell</td></tr><tr><td>x</td><td>y</td></tr></table>'),
    '## In\n\na cell\n\nx\n\ny',
  );
});

t.test('code keeps its lines and its language, without line numbers', async (t) => {
  t.equal(
    textOf(t, '<p>Run:</p><pre><code class="language-ts">if (a &lt; b) {\n  go();\n}\n</code></pre>'),
    'Run:\n\n```ts\nif (a < b) {\n  go();\n}\n```',
  );
  t.equal(
    textOf(t, '<p>x</p><pre><span class="line-numbers-rows">1</span>one<br>two</pre>'),
    'x\n\n```\none\ntwo\n```',
  );
  t.equal(textOf(t, '<p>x</p><pre>a ``` b</pre>'), 'x\n\n````\na ``` b\n````');
});

t.test('characters are normalised: plain spaces, nothing invisible, NFC', async (t) => {
  t.equal(textOf(t, '<p>a&nbsp;b\u200bc\u00ad\ufeff e\u0301 x\u202fy</p>'), 'a bc é x y');
  t.equal(textOf(t, '<p>می\u200cخواهم</p>'), 'می\u200cخواهم', 'joiners that the script needs stay');
});

t.test('hidden text is omitted', async (t) => {
  const text = textOf(
    t,
    `<p>Seen ${sentence(1)}</p><p hidden>Secret one</p><p style="color:red; display: none">Secret two</p><div aria-hidden="true">Secret three</div><span class="sr-only">Secret four</span><template>Secret five</template><noscript>Secret six</noscript>`,
  );
  t.match(text, /^Seen/);
  t.notMatch(text, /Secret/);
});

t.test('inline elements with names of page clutter stay in their sentence', async (t) => {
  const text = textOf(
    t,
    `<p>${sentence(2)} See <a class="social-link share" href="/x">our share list</a> and <span class="related">the rest</span> of it. ${sentence(3)}</p>`,
  );
  t.match(text, /See our share list and the rest of it\./);
});

t.test('a clutter name is ignored if it covers most of the page', async (t) => {
  for (const name of ['sidebar', 'modal', 'cookie-policy', 'related', 'comments', 'widget', 'footer']) {
    const { text } = contentOf(
      t,
      extractHtml(
        `<body><div class="top">Site</div><div class="${name}"><p>${prose(10, 8)}</p></div></body>`,
      ),
    );
    t.ok(text.includes(sentence(17)), name);
  }
});

t.test('broken markup is parsed like in browsers', async (t) => {
  const headings = contentOf(t, extractHtml(`<h1>Top<h2>Next</h1><p>${sentence(4)}</p>`)).text;
  t.equal(headings, `# Top\n\n## Next\n\n${sentence(4)}`);
  const links = contentOf(
    t,
    extractHtml(
      `<div><p>${prose(40, 5)}</p></div><div><p><a href="/1">Start<p><a href="/2">Other</a></p>${paragraphs(20, 4)}</div>`,
    ),
  ).text;
  t.ok(links.includes(sentence(20)) && links.includes(sentence(35)));
});

t.test('an unclosed named anchor is not a link', async (t) => {
  t.ok(
    contentOf(t, extractHtml(`<h1>Old</h1><a name="top">${paragraphs(20, 4)}`)).text.includes(sentence(35)),
  );
});
