import { citationOf } from '../../../core/chat/citations.js';
import { foundIn } from '../../support/found.js';
import t from '../../support/t.js';

const manual =
  'Öffnen Sie das Gerät 𝒩icht. To reset the device, hold the power button for ten seconds. It starts again. The battery lasts a week.';
const passageOf = (text: string, start = 0) => {
  const [passage] = foundIn('?', [
    { text, start, url: 'https://docs.acme.com/reset', sourceType: 'web_crawl' },
  ]).passages;
  if (passage === undefined) throw new Error('no passage');
  return passage;
};

t.test(
  'quotes the sentence that supports the claim, with code point offsets into the whole text',
  async (t) => {
    const citation = citationOf(
      passageOf(manual, 40),
      '1',
      'Hold the power button for ten seconds to reset it.',
    );
    t.match(citation, {
      sourceId: '1',
      documentId: 'document-1',
      sourceType: 'web_crawl',
      title: 'Document 1',
      url: 'https://docs.acme.com/reset',
      quote: 'To reset the device, hold the power button for ten seconds.',
    });
    const whole = [...'x'.repeat(40), ...manual];
    t.equal(whole.slice(citation.start, citation.end).join(''), citation.quote);
  },
);

t.test('quotes all sentences that support a claim, up to 300 characters', async (t) => {
  const { quote } = citationOf(passageOf(manual), '1', 'Hold the power button; the battery lasts a week.');
  t.equal(
    quote,
    'hold the power button for ten seconds. It starts again. The battery lasts a week.'.replace(
      /^/,
      'To reset the device, ',
    ),
  );
  const long = citationOf(passageOf(`${'word '.repeat(100)}end.`), '1', 'word end');
  t.equal([...long.quote].length, 300);
  t.equal(long.end - long.start, 300);
});

t.test('quotes the beginning of the source if it shares no words with the claim', async (t) => {
  t.equal(citationOf(passageOf(manual), '1', 'Halten').quote, 'Öffnen Sie das Gerät 𝒩icht.');
  t.equal(citationOf(passageOf(''), '1', '').quote, '');
});

t.test('quotes whole items, rows and code blocks', async (t) => {
  const code = '```sh\nnpx tidyqueue drain \\\n  --queue mail --yes\n```';
  const text = `We do not take back:\n\n- Gift vouchers that\n  were redeemed\n- Ropes\n\n| Size | Chest |\n| --- | --- |\n| S | 88 cm |\n| M | 95 cm |\n\nEmpty a queue:\n\n${code}\n\nDone.`;
  const quoteFor = (claim: string): string => citationOf(passageOf(text), '1', claim).quote;
  t.equal(
    quoteFor('Redeemed items cannot be sent back.'),
    'We do not take back:\n\n- Gift vouchers that\n  were redeemed',
  );
  t.equal(quoteFor('The M fits 95 cm.'), '| M | 95 cm |');
  t.equal(quoteFor('Run tidyqueue with drain.'), code);
  const long = `\`\`\`\n${'first line\n'.repeat(40)}\nthe last stanza\n\`\`\``;
  t.equal(citationOf(passageOf(long), '1', 'the last stanza').quote, 'the last stanza');
});
