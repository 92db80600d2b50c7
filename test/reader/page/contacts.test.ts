import type { Test } from 'tap';
import t from '../../support/t.js';
import { contentOf, extractHtml } from './extract.js';

const read = (t: Test, part: string) =>
  contentOf(
    t,
    extractHtml(
      `<!doctype html><html lang="en"><title>Mill</title><body><main><h1>Mill</h1><p>The old mill grinds rye and spelt for all farms of the valley, from the harvest until the end of winter.</p><p>Ask us: ${part}, on any working day.</p></main></body></html>`,
    ),
  ).text;

t.test('the address behind a link is read', async (t) => {
  t.match(
    read(t, '<a href="mailto:miller@mill.example?subject=Rye">by letter</a>'),
    'by letter (miller@mill.example)',
  );
  t.match(
    read(t, '<a href="tel:+44-20-5550-123"><b>call</b> the mill</a>'),
    'call the mill (+44-20-5550-123)',
  );
  t.match(read(t, '<a href="mailto:a%2Bb@mill.example"><svg></svg></a>'), 'Ask us: a+b@mill.example');
});

t.test('an address or number that the link already says is not repeated', async (t) => {
  t.match(
    read(t, '<a href="mailto:miller@mill.example">Miller@Mill.example</a>'),
    'Ask us: Miller@Mill.example,',
  );
  t.match(read(t, '<a href="tel:+44205550123">020 5550 123</a>'), 'Ask us: 020 5550 123,');
});

t.test('an address that a script would write is read', async (t) => {
  const masked = (address: string) =>
    Buffer.from([0x5c, ...Buffer.from(address).map((byte) => byte ^ 0x5c)]).toString('hex');
  const code = masked('miller@mill.example');
  t.match(
    read(t, `<span class="x" data-cfemail="${code}">[email&#160;protected]</span>`),
    'Ask us: miller@mill.example,',
  );
  const text = read(t, `<a href="/cdn/email-protection#${code}"><i>[hidden]</i></a>`);
  t.match(text, 'Ask us: miller@mill.example,');
  t.notMatch(text, '[hidden]');
});

t.test('an address in parts is joined', async (t) => {
  t.match(
    read(t, '<a data-user="miller" data-domain="mill" data-tld="example">show</a>'),
    'show (miller@mill.example)',
  );
  t.notMatch(read(t, '<div data-name="widget" data-host="cdn.example">Ask</div>'), '@');
  const script = '<script>document.write("<b>miller"+"@"+\'mill.example</b>\')</script>';
  t.match(read(t, script), 'Ask us: miller@mill.example');
  t.match(read(t, '<noscript>miller (at) mill.example</noscript>'), 'Ask us: miller (at) mill.example');
  t.match(read(t, 'miller<img src="/at.gif" alt="@">mill.example'), 'Ask us: miller@mill.example');
});

t.test('links without an address stay as they are', async (t) => {
  for (const href of ['mailto:?subject=Look', 'tel:', 'mailto:%00', '/x#email-protection'])
    t.match(read(t, `<a href="${href}">write</a>`), 'Ask us: write,');
  t.match(read(t, '<span data-cfemail="zz11">write</span>'), 'Ask us: write,');
});

t.test('numbers to call and write to, addresses with a name or backwards are read', async (t) => {
  t.match(read(t, '<a href="callto:+44205550123">call</a>'), 'call (+44205550123)');
  t.match(read(t, '<a href="sms:+44205550124">text</a>'), 'text (+44205550124)');
  t.match(
    read(t, '<a href="mailto:The%20miller%20%3Cmiller@mill.example%3E">letter</a>'),
    'letter (miller@mill.example)',
  );
  t.match(
    read(t, '<span style="unicode-bidi: bidi-override; direction: rtl">elpmaxe.llim@rellim</span>'),
    'Ask us: miller@mill.example,',
  );
});
