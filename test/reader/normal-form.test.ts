import { matching } from '../../core/channels/matching.js';
import { questionHash } from '../../core/conversations/question-hash.js';
import { judge } from '../../core/evaluations/judge.js';
import { foldText } from '../../core/retrieval/analysis/fold-text.js';
import { cleanText } from '../../reader/clean-text.js';
import { normalForm } from '../../reader/normal-form.js';
import { body } from '../support/api-client.js';
import { says } from '../support/fake-provider.js';
import { modelledAgent } from '../support/modelled-agent.js';
import t from '../support/t.js';

/** The order of these marks is reversed by every normal form. */
const pile = (count: number, between = '') => `\u{1d165}${between}\u0334${between}`.repeat(count / 2);
/** Halfwidth sound marks are letters, which NFKC turns into marks. */
const halfwidth = (count: number) => '\uff9e\u0334'.repeat(count / 2);

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/[\p{M}\uff9e\uff9f]+/gu) ?? []).map((run) => [...run].length));

t.test('a normal form keeps the first 32 marks of a run', async (t) => {
  for (const form of ['NFC', 'NFD', 'NFKC'] as const)
    for (const marks of [pile(5000), halfwidth(5000)]) {
      const found = normalForm(`e${marks}n`, form);
      t.equal(longestRun(found), 32, form);
      t.match(found, /^e.*n$/u);
    }
  t.equal(normalForm('e\u0301'.repeat(40), 'NFC'), 'é'.repeat(40), 'letters with marks stay');
});

t.test('no text is compared by more marks than that', async (t) => {
  const long = `sale${pile(400)}`;
  const short = `sale${pile(32)}`;
  t.equal(questionHash(long), questionHash(short));
  t.equal(foldText(long), foldText(short));
  t.equal(longestRun(foldText(`a${pile(400, '\u200d')}`)), 32, 'between invisible characters, too');
  t.equal(longestRun(cleanText(`a${halfwidth(400)}`)), 32);
  const automation = { type: 'story_reply', targetId: null, scope: 'any', keywords: [long] };
  const found = matching([automation as never], { type: 'story_reply' as never, targetId: '1', text: short });
  t.equal(found, automation);
  const question = {
    type: 'question',
    question: 'Which?',
    before: [],
    answer: [[long]],
    source: [],
    sourceMode: 'all' as const,
    mustNot: [],
    unanswerable: false,
  };
  t.equal(judge(question, { text: `The ${short}.`, titles: ['A'] }), 'right');
});

// Nothing but the time shows which texts are brought in order, and a test must not depend on time.
t.test('no request brings a longer run of marks in order', async (t) => {
  const { api, chat, provider } = await modelledAgent(t);
  const hostile = ['', '\u200d'].map((between) => `a${pile(8000 / (1 + between.length), between)}`);
  const texts = [...hostile, `a${halfwidth(8000)}`];
  let longest = 0;
  let calls = 0;
  const { normalize } = String.prototype;
  t.teardown(() => Object.assign(String.prototype, { normalize }));
  Object.assign(String.prototype, {
    normalize(this: string, form: 'NFC') {
      calls += 1;
      longest = Math.max(longest, longestRun(String(this)));
      return normalize.call(this, form);
    },
  });
  for (const text of texts) {
    provider.play(says(`Hold the button ${text} [1].`));
    const { metadata } = await chat.say(`How do I reset ${text}?`);
    await chat.say(`And ${text}?`, { conversationId: metadata.conversationId });
    await body(api.post(chat.at('/search'), { query: text }));
    await body(api.get(chat.at(`/conversations?q=${encodeURIComponent(text.slice(0, 150))}`)));
    await body(api.post(chat.at('/sources/text'), { title: 'A', content: text }));
    await body(api.post(chat.at('/evaluation-questions'), { questions: [{ question: text }] }));
  }
  await body(api.get(chat.at('/questions?outcome=unanswered')));
  t.ok(calls > 0);
  t.ok(longest <= 32, `${longest} marks in a run`);
});
