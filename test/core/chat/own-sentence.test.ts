import { plainMessage } from '../../../core/channels/message-text.js';
import { ownSentence } from '../../../core/chat/own-sentence.js';
import t from '../../support/t.js';

const LINK = '[Write to us](https://acme.com/contact?a_b=1)';

t.test('links keep their effect, and all other Markdown is text', async (t) => {
  for (const [text, markdown] of [
    [`Sorry! ${LINK} or [mail](mailto:a_b@acme.com).`, `Sorry! ${LINK} or [mail](mailto:a_b@acme.com).`],
    ['See https://acme.com/a_b_c', 'See https://acme.com/a_b_c'],
    ['**Sorry**, `a` ~b~ <b> & |', '\\*\\*Sorry\\*\\*, \\`a\\` \\~b\\~ \\<b\\> \\& \\|'],
    [
      '[x](javascript:alert) ![p](https://acme.com/p.png)',
      '\\[x\\](javascript:alert) \\![p](https://acme.com/p.png)',
    ],
    ['# A\n- b\n  2. c', '\\# A  \n\\- b  \n2\\. c'],
    ['1.5 hours - or 2)', '1\\.5 hours - or 2)'],
    ['A\n\nB', 'A\n\nB'],
  ] as const)
    t.equal(ownSentence(text), markdown, text);
});

t.test('platforms without Markdown get the same text', async (t) => {
  for (const text of ['**Sorry**, a_b_c [x] \\ 1. `d`', '# A\n- b', '*a* and *b*'])
    t.equal(plainMessage(ownSentence(text)), text);
  t.equal(plainMessage(ownSentence(LINK)), 'Write to us: https://acme.com/contact?a_b=1');
});
