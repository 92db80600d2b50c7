import { isMediaFileUrl, isVideoUrl } from '../../../core/knowledge/urls/video-url.js';
import t from '../../support/t.js';

t.test('watch, short and embed forms of video sites are video URLs', async (t) => {
  const urls = [
    ...['https://www.youtube.com/watch?v=abc', 'https://youtu.be/abc', 'https://m.youtube.com/shorts/abc'],
    ...[
      'https://www.youtube-nocookie.com/embed/abc',
      'https://vimeo.com/123',
      'https://player.vimeo.com/video/123',
    ],
    ...[
      'https://www.dailymotion.com/video/x1',
      'https://dai.ly/x1',
      'https://www.twitch.tv/videos/1',
      'https://clips.twitch.tv/x',
    ],
    ...[
      'https://www.loom.com/share/1',
      'https://acme.wistia.com/medias/1',
      'https://fast.wistia.net/embed/iframe/1',
    ],
    ...[
      'https://share.vidyard.com/watch/1',
      'https://www.tiktok.com/@a/video/1',
      'https://www.ted.com/talks/a_b',
    ],
    ...[
      'https://www.facebook.com/watch/?v=1',
      'https://www.facebook.com/acme/videos/1',
      'https://www.bilibili.com/video/BV1',
    ],
    ...['http://YOUTUBE.com/', 'https://youtube.com./watch?v=1'],
  ];
  for (const url of urls) t.equal(isVideoUrl(url), true, url);
});

t.test('media files are video URLs on any site', async (t) => {
  const files = [
    'a.mp4',
    'a.MP4',
    'b/a.webm',
    'a.mov',
    'a.mp3',
    'a.m3u8',
    'a.mp4?x=1',
    'a.mkv/',
    'my%20talk.m4v',
  ];
  for (const file of files) {
    t.equal(isVideoUrl(`https://example.com/${file}`), true, file);
    t.equal(isMediaFileUrl(`https://example.com/${file}`), true, file);
  }
  t.equal(isMediaFileUrl('https://youtu.be/abc'), false);
});

t.test('other pages are not', async (t) => {
  const urls = [
    ...[
      'https://example.com/',
      'https://example.com/watch?v=1',
      'https://example.com/video',
      'https://example.com/?f=a.mp4',
    ],
    ...[
      'https://example.com/a.mp4.html',
      'https://example.com/mp4',
      'https://notyoutube.com/watch?v=1',
      'https://mp4.example/',
    ],
    ...[
      'https://youtube.com.example.org/watch',
      'https://help.vimeo.com/hc/1',
      'https://blog.youtube.com/x',
      'https://src.example/a.ts',
    ],
    ...[
      'https://www.facebook.com/acme',
      'https://www.ted.com/about',
      'https://support.google.com/youtube',
      'https://x.example/a.gif',
    ],
    ...['', 'youtube', 'not a url'],
  ];
  for (const url of urls) t.equal(isVideoUrl(url), false, url);
});
