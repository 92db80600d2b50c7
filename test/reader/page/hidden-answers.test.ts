import t from '../../support/t.js';
import { contentOf, extractHtml } from './extract.js';

const before =
  '<p>Our school of rowing is open from March to October, and beginners are welcome on every Saturday of the season.</p>';
const answer = 'A course of ten lessons costs eighty pounds, boat and oars included.';
const page = (part: string) =>
  `<!doctype html><html lang="en"><title>Rowing</title><body><main><h1>Rowing</h1>${before}${part}${before.replace('Our', 'The')}</main></body></html>`;

const shown = {
  'a button that names its part': `<h3><button aria-controls="p1" aria-expanded="false">What does a course cost?</button></h3><section id="p1" style="display:none">${answer}</section>`,
  'a button before a hidden part': `<div class="q"><button>What does a course cost?</button></div><div class="x" hidden>${answer}</div>`,
  'a question before a hidden part': `<h4>What does a course cost?</h4><div style="visibility: hidden">${answer}</div>`,
  'a link that opens a part': `<a href="#c" aria-expanded="false">What does a course cost?</a><div id="c" aria-hidden="true">${answer}</div>`,
  'a term with a hidden definition': `<dl><dt>What does a course cost?</dt><dd hidden>${answer}</dd></dl>`,
  'a part with a name of clutter': `<h4><button aria-controls="dd" aria-expanded="false">What does a course cost?</button></h4><div class="course__dropdown" id="dd" role="region" style="display:none">${answer}</div>`,
  'a button before a part with a name for hidden': `<div x-data="{}"><button class="w">What does a course cost?</button><div x-show="open" class="hidden">${answer}</div></div>`,
  'a tab in a list of tabs with their panels': `<div role="tablist"><h3 role="tab" aria-controls="t1">What does a course cost?</h3><div role="tabpanel" id="t1" style="display:none">${answer}</div></div>`,
  'a link before a hidden part': `<p class="open"><a href="#k">What does a course cost?</a></p><div class="wrap"><div id="k" style="display:none">${answer}</div></div>`,
  'a label before a hidden part': `<div><input type="checkbox" id="x" hidden><label for="x">What does a course cost?</label><div hidden>${answer}</div></div>`,
};
for (const [name, part] of Object.entries(shown))
  t.test(`a hidden answer is read: ${name}`, async (t) => {
    const text = contentOf(t, extractHtml(page(part))).text;
    t.match(text, 'What does a course cost?');
    t.match(text, answer);
  });

const hidden = {
  'a menu': `<button aria-controls="m">Choose another language</button><ul id="m" hidden><li><a href="/de">Deutsche Fassung dieser Seite</a><li><a href="/fr">Version française de la page</a></ul>`,
  'a dialog': `<button aria-haspopup="dialog" aria-controls="d">Tell us what you think</button><div id="d" hidden>${answer}</div>`,
  'a form': `<button>Write a message to the school</button><div hidden>${answer}<input type="text"></div>`,
  'a part without a button': `<p>Courses begin every month.</p><div hidden>${answer}</div>`,
};
for (const [name, part] of Object.entries(hidden))
  t.test(`other hidden parts are left out: ${name}`, async (t) => {
    const text = contentOf(t, extractHtml(page(part))).text;
    t.match(text, 'beginners are welcome');
    t.notMatch(text, 'A course of ten');
    t.notMatch(text, 'Deutsche');
  });

t.test('an answer may be short, a list or a link', async (t) => {
  const part = `<h3><button aria-controls="a1">May I bring my dog?</button></h3><div id="a1" hidden>No.</div>
    <button aria-controls="a2">What do I need?</button><div id="a2" hidden><ul><li>Shoes</li><li>A towel</li></ul></div>
    <button aria-controls="a3">Where do I book?</button><div id="a3" hidden><a href="/b">At the desk of the harbour</a>, daily</div>`;
  const { text } = contentOf(t, extractHtml(page(part)));
  t.match(text, /dog\?\n+No\./);
  t.match(text, /- Shoes\n- A towel/);
  t.match(text, 'At the desk of the harbour, daily');
});

t.test('the rest of a text, hidden until it is asked for, is read', async (t) => {
  const { text } = contentOf(
    t,
    extractHtml(
      page(
        `<p>The boats are old.<span id="more" style="display:none"> ${answer}</span></p><button>Read on</button>`,
      ),
    ),
  );
  t.match(text, `The boats are old. ${answer}`);
});
