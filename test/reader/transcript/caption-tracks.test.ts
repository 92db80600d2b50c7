import type { CaptionTrack } from '../../../reader/reading.js';
import { findCaptionTracks } from '../../../workers/threads/page.thread.js';
import t from '../../support/t.js';

const find = (html: string, url = 'https://video.example/watch/1?v=2'): CaptionTrack[] =>
  findCaptionTracks({ bytes: new TextEncoder().encode(html), contentType: 'text/html', url });

t.test('track elements of a video are found, chapters and thumbnails are not', async (t) => {
  const tracks = find(`<video src="a.mp4"><track kind="captions" src="/c/en.vtt" srclang="en" label="English">
    <track src="de.vtt" srclang="de"><track kind="chapters" src="ch.vtt"><track kind="metadata" src="m.vtt"><track kind="subtitles"></video>`);
  t.same(tracks, [
    { url: 'https://video.example/c/en.vtt', language: 'en', label: 'English', automatic: false },
    { url: 'https://video.example/watch/de.vtt', language: 'de', label: null, automatic: false },
  ]);
});

t.test('the page’s language comes first, human captions before automatic ones, then English', async (t) => {
  const item = (language: string, kind = ''): object => ({
    baseUrl: `/t?l=${language}${kind}`,
    languageCode: language,
    kind,
  });
  const config = (...items: object[]): string =>
    `<script>var cfg = ${JSON.stringify({ captions: { captionTracks: items } })};</script>`;
  const order = (html: string): string[] => find(html).map((track) => new URL(track.url).search.slice(3));
  const items = config(item('fr', 'asr'), item('nl'), item('en', 'asr'), item('en'), item('fr'));
  t.same(order(`<html lang="fr-CA">${items}`), ['fr', 'frasr', 'en', 'nl', 'enasr']);
  t.equal(order(`<html>${items}`)[0], 'en');
  t.same(
    find('<video><track src="a.vtt" srclang="en"><track src="b.vtt" srclang="es" default></video>').map(
      (track) => track.language,
    ),
    ['es', 'en'],
  );
});

t.test('player configurations are read from scripts: JSON, escaped JSON, object literals', async (t) => {
  const expected = {
    url: 'https://video.example/api/tt?v=1&lang=en',
    language: 'en',
    label: 'English (auto)',
    automatic: true,
  };
  const json =
    '{"captionTracks":[{"baseUrl":"/api/tt?v=1\\u0026lang=en","name":{"simpleText":"English (auto)"},"languageCode":"en","kind":"asr"}]}';
  t.same(find(`<script>var player = ${json}; function x() { return [1]; }</script>`), [expected]);
  t.same(find(`<script>boot(${JSON.stringify(json)})</script>`), [expected]);
  t.same(
    find(
      `<script>jw({tracks: [{file: '//cdn.example/a.vtt', label: 'It\\'s English', kind: 'captions', srclang: 'en', "default": true,}, {file: 't.jpg', kind: 'thumbnails'}]})</script>`,
    ),
    [{ url: 'https://cdn.example/a.vtt', language: 'en', label: "It's English", automatic: false }],
  );
  t.same(
    find(
      '<script>var a = {"name":{"runs":[{"text":"x"}]}, "captionTracks": [{"url":"/q","name":{"runs":[{"text":"Two "},{"text":"runs"}]}}]}</script>',
    )[0]?.label,
    'Two runs',
  );
});

t.test('captions in structured data and linked caption files are found', async (t) => {
  const data = {
    '@graph': [
      {
        '@type': 'VideoObject',
        caption: [{ '@type': 'MediaObject', contentUrl: '/cap/it.srt', inLanguage: 'it', name: 'Italiano' }],
      },
    ],
  };
  t.same(find(`<script type="application/ld+json">${JSON.stringify(data)}</script>`), [
    { url: 'https://video.example/cap/it.srt', language: 'it', label: 'Italiano', automatic: false },
  ]);
  t.same(
    find(
      '<base href="https://files.example/x/"><p><a href="talk.en.vtt?dl=1">Captions</a> <a href="talk.pdf">Slides</a></p>',
    ),
    [
      {
        url: 'https://files.example/x/talk.en.vtt?dl=1',
        language: 'en',
        label: 'Captions',
        automatic: false,
      },
    ],
  );
});

t.test('a transcript in the page itself is a track of that page', async (t) => {
  const html =
    '<html lang="en"><script type="application/ld+json">{"@type":"VideoObject","transcript":"Hello and welcome."}</script>';
  t.same(find(html), [
    { url: 'https://video.example/watch/1?v=2', language: 'en', label: null, automatic: false },
  ]);
});

t.test('only web URLs count, and each once', async (t) => {
  t.same(
    find(
      '<video><track src="file:///etc/passwd"><track src="javascript:x"><track src="data:text/vtt,WEBVTT"><track src="http://"></video>',
    ),
    [],
  );
  t.equal(find('<video><track src="a.vtt"><track src="a.vtt"></video>').length, 1);
  t.same(find('<p>No video here: "captionTracks":[</p><script>"captionTracks":[oops</script>'), []);
});

t.test('overlong URLs are ignored', async (t) => {
  const host = `xn--${'b'.repeat(20_000)}.example`;
  t.same(find(`<video><track src="https://${host}/a.vtt"><track src="/b.vtt"></video>`), [
    { url: 'https://video.example/b.vtt', language: null, label: null, automatic: false },
  ]);
  t.same(
    find(`<base href="https://${host}/"><video><track src="b.vtt"></video>`).map(({ url }) => url),
    ['https://video.example/watch/b.vtt'],
  );
});

t.test('the text of a link without end tag is the label of that link only', async (t) => {
  t.same(
    find('<a href="en.vtt">English <a href="de.vtt"><b>Deutsch</b></a> and more').map(({ label }) => label),
    ['English and more', 'Deutsch'],
  );
});

t.test('elements without end tag count, however deep, and the last html element wins', async (t) => {
  const deep = '<b a="</b>">'.repeat(3_000);
  const html = `<html lang="de"><html lang="fr"><a href="x.en.vtt">E</a><a href="x.fr.vtt">F${deep}`;
  t.same(
    find(html).map(({ language, label }) => [language, label]),
    [
      ['fr', 'F'],
      ['en', 'E'],
    ],
  );
});

t.test('nested links to caption files take linear time and memory', async (t) => {
  const links = Array.from({ length: 1_000 }, (_, n) => `<a href="${n}.vtt">`).join('');
  const tracks = find(links + 'some words<br>'.repeat(400_000));
  t.equal(tracks.length, 100);
  t.same(
    tracks.map(({ label }) => label),
    tracks.map(() => null),
  );
});
