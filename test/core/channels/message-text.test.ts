import { messageParts, plainMessage } from '../../../core/channels/message-text.js';
import t from '../../support/t.js';

t.test('an answer becomes plain text in at most five messages', async (t) => {
  t.equal(
    plainMessage('# Hours\n\nWe open **at nine** [1]. See [the page](https://a.example/).'),
    'Hours\n\nWe open at nine. See the page: https://a.example/.',
  );
  t.equal(
    plainMessage('[A](https://a.example/b_(c)), [B](<https://b.example/> "title"), ![C](https://c.example/)'),
    'A: https://a.example/b_(c), B: https://b.example/, C: https://c.example/',
  );
  const parts = messageParts(plainMessage('One more sentence. '.repeat(5_000)));
  t.equal(parts.length, 5);
  for (const part of parts) t.match(part, /^One more .*sentence\.$/);
});

t.test('unclosed marks of a long answer take little time', async (t) => {
  // quadratic time takes half an hour, cubic time minutes despite the limit
  for (const mark of ['[', '[](', '[a](b', '[](a(b)', '[](<a', '[](a ', '**a '])
    t.ok(plainMessage(mark.repeat(1_000_000)).length > 5_000, mark);
});
