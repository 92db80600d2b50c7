import { extractTranscript } from '../../../workers/threads/page.thread.js';
import t from '../../support/t.js';

function transcript(source: string, contentType: string | null = null): string {
  const result = extractTranscript({
    bytes: new TextEncoder().encode(source),
    contentType,
    url: 'https://video.example/c',
    title: 'A talk',
  });
  return result.ok ? result.extraction.text : result.failure.code;
}

t.test('WebVTT gives its words and a time mark without markup', async (t) => {
  const source = `\ufeffWEBVTT - title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a note\nof two lines\n\nintro\n00:01.000 --> 00:03.500 align:start position:0%\n<v Ann>Hello <i>everyone</i> &amp; welcome</v>\n\n01:00:02.000 --> 01:00:04.000\n<00:00:02.500><c>Good</c> bye\nfor now.\n`;
  t.equal(
    transcript(source, 'text/vtt'),
    '[00:00:01] Hello everyone & welcome\n\n[01:00:02] Good bye for now.',
  );
});

t.test('SubRip is read, also with Windows line ends and styles', async (t) => {
  t.equal(
    transcript(
      '1\r\n00:00:05,000 --> 00:00:07,000\r\n{\\an8}<font color="#fff">First line</font>\r\nsecond line\r\n\r\n2\r\n00:00:08,000 --> 00:00:09,000\r\n2024 was good\r\n',
    ),
    '[00:00:05] First line second line 2024 was good',
  );
});

t.test('direction marks are removed', async (t) => {
  t.equal(
    transcript('1\n00:00:05,000 --> 00:00:07,000\n&rlm;\u202bשלום\u202c &#x2067;עולם&#x2069;&lrm;\n'),
    '[00:00:05] שלום עולם',
  );
});

t.test('timed-text XML is read in its three forms', async (t) => {
  t.equal(
    transcript(
      '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div><p begin="00:00:01.500" end="00:00:03">One<br/>two</p><p begin="4s">three <span>four</span></p></div></body></tt>',
    ),
    '[00:00:01] One two three four',
  );
  t.equal(
    transcript('<tt xmlns:ttp="x" ttp:tickRate="10"><body><tt:p begin="650t">Late</tt:p></body></tt>'),
    '[00:01:05] Late',
  );
  t.equal(
    transcript(
      '<transcript><text start="3.2" dur="1">It&amp;#39;s <![CDATA[on]]></text><text start="4" dur="1"></text></transcript>',
    ),
    "[00:00:03] It's on",
  );
  t.equal(
    transcript(
      '<timedtext format="3"><body><p t="61000" d="900"><s>Word</s><s t="200"> by</s><s> word</s></p><p t="62000" a="1">\n</p></body></timedtext>',
    ),
    '[00:01:01] Word by word',
  );
});

t.test('timed-text XML is read where elements do not end, however deep', async (t) => {
  t.equal(transcript(`<tt ttp:tickRate="10">${'<p begin="650t">Late'.repeat(3_000)}`), '[00:01:05] Late');
});

t.test('JSON captions are read', async (t) => {
  t.equal(
    transcript(
      JSON.stringify({
        events: [
          { tStartMs: 0 },
          { tStartMs: 2000, segs: [{ utf8: 'Hello' }, { utf8: ' there' }] },
          { tStartMs: 2500, segs: [{ utf8: '\n' }] },
        ],
      }),
    ),
    '[00:00:02] Hello there',
  );
  t.equal(
    transcript(
      JSON.stringify([
        { start: 1.5, text: 'Plain' },
        { start: '3', text: 'list' },
      ]),
    ),
    '[00:00:01] Plain list',
  );
  t.equal(
    transcript(
      JSON.stringify({
        body: [
          { from: 2, to: 3, content: '你好。' },
          { from: 3, to: 4, content: '再见。' },
        ],
      }),
    ),
    '[00:00:02] 你好。再见。',
  );
});

t.test('rolling captions appear once', async (t) => {
  const cues = [
    ['00:00:00.000', 'we are going to'],
    ['00:00:02.000', 'we are going to\ntalk about ropes'],
    ['00:00:04.000', 'talk about ropes\nand knots today'],
    ['00:00:06.000', 'and knots today'],
    ['00:00:08.000', 'and knots today and tomorrow'],
    ['00:00:09.000', 'and knots today and tomorrow\nand ever'],
    ['00:00:10.000', 'and knots today and tomorrow\nand ever'],
  ];
  const source = `WEBVTT\n\n${cues.map(([start, text]) => `${start} --> 00:00:09.000\n${text}\n`).join('\n')}`;
  t.equal(
    transcript(source),
    '[00:00:00] we are going to talk about ropes and knots today and tomorrow and ever',
  );
});

t.test('a new paragraph with its time starts about every 30 seconds', async (t) => {
  const clock = (seconds: number): string =>
    `00:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}.000`;
  const cues = (end: string): string =>
    `WEBVTT\n\n${Array.from({ length: 30 }, (_, i) => `${clock(i * 10)} --> ${clock(i * 10 + 5)}\nline ${i}${end}\n`).join('\n')}`;
  t.match(transcript(cues('.')), /^\[00:00:00\] line 0\. line 1\. line 2\.\n\n\[00:00:30\] line 3\./);
  t.match(
    transcript(cues('')),
    /^\[00:00:00\] line 0 line 1 line 2 line 3 line 4 line 5\n\n\[00:01:00\] line 6/,
  );
});

t.test('a transcript inside the page’s structured data is text', async (t) => {
  t.equal(
    transcript(
      '<!doctype html><html><script type="application/ld+json">{"@type":"VideoObject","transcript":"Hello and\\nwelcome."}</script>',
    ),
    'Hello and\nwelcome.',
  );
});

t.test('rejects a file without captions', async (t) => {
  for (const source of [
    '',
    'WEBVTT\n\n',
    'just words',
    '{"error": 1}',
    '<html><body>404</body></html>',
    '<transcript></transcript>',
    '{',
    '1\n00:00:01,000 --> 00:00:02,000\n\n',
  ]) {
    t.equal(transcript(source), 'TRANSCRIPT_UNAVAILABLE', source);
  }
});

t.test('the result has the page’s title, chunks and counts', async (t) => {
  const input = {
    bytes: new TextEncoder().encode('WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n'),
    contentType: 'text/vtt',
    url: 'https://video.example/c',
    title: 'A talk',
  };
  const result = extractTranscript(input);
  t.same(result, extractTranscript(input));
  t.match(result, {
    ok: true,
    contentHash: /^[\da-f]{64}$/,
    extraction: {
      title: 'A talk',
      chunks: [{ start: 0, end: 13 }],
      metadata: { contentKind: 'transcript', cues: 1, truncated: false },
    },
  });
});

t.test('hostile captions take linear time', async (t) => {
  for (const source of [
    `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<'.repeat(1_000_000)}`,
    `<transcript>${'<text start="1">'.repeat(100_000)}x`,
    `<transcript>${'<text start="1">'.repeat(900)}${'some <s>words</s> '.repeat(100_000)}`,
    `{"events":${'['.repeat(1_000_000)}`,
    `WEBVTT\n\n${'00:01.000 --> 00:02.000\nHi\n\n'.repeat(100_000)}`,
    `WEBVTT\n\n00:01.000 --> 00:02.000\n${Array.from({ length: 100_000 }, (_, n) => `Line ${n}`).join('\n')}`,
  ]) {
    t.type(transcript(source), 'string');
  }
});
