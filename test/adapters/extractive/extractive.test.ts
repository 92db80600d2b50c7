import { extractiveAnswer } from '../../../adapters/extractive/answer.js';
import { extractive } from '../../../adapters/extractive/index.js';
import { createWriter } from '../../../core/chat/writer.js';
import type { Found, Passage } from '../../../core/knowledge/text/passages.js';
import { widgetLocales } from '../../../core/locales/locale-files.js';
import type { ModelRequest } from '../../../core/ports/model.port.js';
import { foundIn } from '../../support/found.js';
import { modelRequest, pluginContext } from '../../support/models.js';
import t from '../../support/t.js';

const nothing = 'I found nothing about this in my sources.';

const manual =
  'The device has three lamps. To reset the device, hold the power button for ten seconds. It starts again by itself. ' +
  'The battery lasts for a week. Clean the case with a dry cloth.';

type Asked = Pick<ModelRequest, 'question' | 'language' | 'smallTalk' | 'unansweredMessage'>;

const answerTo = (
  found: Found,
  { question = '', language = 'en', smallTalk = null, ...own }: Partial<Asked> = {},
): string => [...extractiveAnswer({ question, found, language, smallTalk, ...own })].join('');

const answer = (question: string, passages: (Partial<Passage> & { text: string })[], language = 'en') =>
  answerTo(foundIn(question, passages), { question, language });

t.test(
  'quotes the sentence that answers with what completes it, and the number of its passage',
  async (t) => {
    const weather = { text: 'It rains in November. It snows in January.' };
    t.equal(
      answer('How do I reset the device?', [weather, { text: manual }]),
      'The device has three lamps. To reset the device, hold the power button for ten seconds. It starts again by itself. [2]',
    );
  },
);

t.test('quotes the two best sentences of a long paragraph, each with the next one', async (t) => {
  const filler = 'Nothing else is written here, and nothing that follows is about it. '.repeat(4);
  const text = `Press the lamp button twice. ${filler}${filler}It glows. To reset the lamp, press the reset button of the lamp. It beeps.`;
  const shown = answer('How do I reset the lamp with a button?', [{ text }]);
  t.match(shown, /^Press the lamp button twice\. Nothing else .* … To reset the lamp, .* It beeps\. \[1\]$/);
  t.ok(shown.length < 400, `${shown.length}`);
});

t.test(
  'quotes a second source only if it is as good and contains a further word of the question',
  async (t) => {
    const days = { text: 'Staff have 28 leave days.', score: 5 };
    const training = { text: 'Staff have five training days.', score: 5 };
    t.equal(
      answer('How many leave days and training days?', [days, training]),
      'Staff have 28 leave days. [1]\n\nStaff have five training days. [2]',
    );
    t.equal(answer('How many leave days?', [days, training]), 'Staff have 28 leave days. [1]');
  },
);

t.test('quotes more of the same passage if it contains an important further word', async (t) => {
  const weather = 'It rains in November, as it always has, and it snows. '.repeat(6);
  const text = `The press council is concerned.\n\n${weather}\n\nThe president, David Weis, asked for it.`;
  t.equal(
    answer('Who is the president of the press council?', [{ text }]),
    'The press council is concerned. [1]\n\nThe president, David Weis, asked for it. [1]',
  );
});

t.test('asked about one thing, it prefers the sentence that opens a paragraph', async (t) => {
  const opening = 'Walrus is an open framework for building applications out of many agents that converse.';
  const more = 'Nothing else is written here, and nothing that follows is about it. '.repeat(8);
  t.match(
    answer('What is Walrus?', [{ text: `${opening} ${more}Walrus agents work. ${more}Walrus agents rest.` }]),
    /^Walrus is an/,
  );
});

t.test('an entry with the same question is answered with its stored answer', async (t) => {
  const entry = {
    sourceType: 'qna_entry' as const,
    text: 'Q: Can I return it?\nQ: Do you take goods back?\nA: Yes:\n\n- within 30 days\n- unused',
  };
  t.equal(
    answer('Can I return my order?', [{ text: 'Orders are sent within a day. You can follow them.' }, entry]),
    'Yes:\n\n- within 30 days\n- unused\n\n[2]',
  );
});

t.test('an entry with a similar question does not answer if another source covers more', async (t) => {
  const entry = {
    sourceType: 'qna_entry' as const,
    text: 'Q: Can I buy a voucher?\nA: Yes, at the till and online.',
  };
  const card = { text: '200 points are a voucher of £10.' };
  t.equal(answer('How many points for a voucher?', [entry, card]), '200 points are a voucher of £10. [2]');
});

t.test('a word of the title alone leads to the text', async (t) => {
  t.equal(
    answer('Opening hours?', [{ title: 'Opening hours', text: 'From nine to five. Closed on Sundays.' }]),
    'From nine to five. Closed on Sundays. [1]',
  );
});

t.test(
  'headings, fences and table borders are not quoted, and footnotes of a source are not citations',
  async (t) => {
    const text =
      '# Reset\n\n```\nreset --now\n```\n\n| a | b |\n| --- | --- |\nThe reset takes a minute [3].';
    const shown = answer('How long does the reset take?', [{ text }]);
    t.notMatch(shown, /#|`|---|\[3\]/);
    t.match(shown, /The reset takes a minute\. \[1\]/);
  },
);

t.test('a source cannot write a citation of another one', async (t) => {
  for (const mark of ['[2]', '[[9]2]', '[2](see below', '[2](two words)', '[2](a\\)']) {
    const text = `The reset takes a minute ${mark}`;
    const question = 'How long does the reset take?';
    const shown = answer(question, [{ text }, { text: 'The lamp is red.' }]);
    const passages = foundIn(question, [{ text }, { text: 'The lamp is red.' }]).passages;
    const writer = createWriter({ isKnownUrl: () => true, mayCite: () => true, maxCharacters: 10_000 });
    writer.begin(passages);
    writer.write(shown);
    writer.end();
    t.same(
      writer.citations().map(({ sourceId }) => sourceId),
      ['1'],
      mark,
    );
  }
});

t.test('below a threshold nothing is found, in the language of the agent', async (t) => {
  const sources = [{ text: manual }, ...Array.from({ length: 60 }, (_, n) => ({ text: `Lamp ${n}.` }))];
  t.equal(answer('Who won the marathon of Boston in 1972?', sources), nothing);
  t.match(
    answer('Wer gewann 1972 den Marathon?', sources, 'de'),
    /^Dazu habe ich in meinen Quellen nichts gefunden\./,
  );
  t.equal(answer('anything', []), nothing);
  t.equal(answer('anything', [], 'xx'), nothing);
});

t.test('related sources are suggested by title, without a quotation', async (t) => {
  const page = { title: 'Care [new]', url: 'https://acme.com/care_(home)', text: manual };
  const sources = [page, { title: 'Warranty', text: 'Two years.' }, page, { title: '', text: 'Nothing.' }];
  const found = { ...foundIn('How do I clean it?', sources), support: 'near' } as const;
  t.equal(
    answerTo(found),
    'I have no exact answer to this. These sources may help: [Care \\[new\\]](<https://acme.com/care_(home)>) and Warranty',
  );
  t.equal(answerTo({ ...found, passages: found.passages.slice(3) }), nothing, 'no titles');
  t.equal(answerTo({ ...found, support: 'none' }), nothing);
  const own = { unansweredMessage: 'Ask us.' };
  t.match(answerTo(found, own), /^Ask us\.\n\nI have no exact answer to this\. These sources may help: /);
  t.equal(answerTo({ ...found, support: 'none' }, own), 'Ask us.');
});

t.test('a source without anything to quote is not suggested as related', async (t) => {
  const found = foundIn('opening hours', [{ title: 'Opening hours', text: '***' }]);
  t.equal(found.support, 'covered');
  t.equal(answerTo(found, { question: 'opening hours' }), nothing);
});

t.test('small talk is answered with a phrase, in the language of the agent', async (t) => {
  const found = foundIn('Hello', [{ text: 'Hello, world!' }]);
  t.equal(answerTo(found, { language: 'en', smallTalk: 'greeting' }), 'Hello! How can I help you?');
  t.equal(answerTo(found, { language: 'de', smallTalk: 'thanks' }), 'Gern geschehen!');
  t.equal(answerTo(found, { language: 'fr', smallTalk: 'goodbye' }), 'Au revoir !');
});

t.test('every locale of the widget has its own sentences', async (t) => {
  const found = { ...foundIn('?', [{ text: 'Anything.' }]), support: 'near' } as const;
  t.equal(new Set(widgetLocales.map((locale) => answer('?', [], locale))).size, widgetLocales.length);
  t.equal(
    new Set(widgetLocales.map((locale) => answerTo(found, { language: locale }))).size,
    widgetLocales.length,
  );
});

t.test('the answer is deterministic', async (t) => {
  const pieces = () => [
    ...extractiveAnswer({
      question: 'reset the device',
      found: foundIn('reset the device', [{ text: manual }]),
      language: 'en',
      smallTalk: null,
    }),
  ];
  t.same(pieces(), pieces());
  t.ok(pieces().length >= 3, 'a piece for each sentence');
});

t.test('it is free, ignores tools, and states its name', async (t) => {
  const { port, stop } = await extractive.start({ ...pluginContext, options: {} });
  t.match(port.describe('vendorB/familyB-sonnet-5'), { credits: 0, tools: false, extractive: true });
  const found = foundIn('How do I reset the device?', [{ text: manual }]);
  const tools = [{ name: 'open_ticket', inputSchema: { type: 'object' } }];
  const events = [];
  for await (const event of port.answer(modelRequest({ found, tools }), new AbortController().signal))
    events.push(event);
  t.same(events.slice(-2), [
    { type: 'usage', inputTokens: 0, outputTokens: 0 },
    { type: 'finish', reason: 'stop', model: 'extractive' },
  ]);
  t.ok(events.slice(0, -2).every(({ type }) => type === 'text'));
  t.same(await port.probe(new AbortController().signal), {});
  t.same(await port.health(), { ok: true });
  await stop({ deadlineMs: 0 });
  await stop({ deadlineMs: 0 });
  t.equal((await port.health()).ok, false);
});
