/** Video sites: all pages of these hosts and their subdomains count as videos. */
const videoHosts = [
  'youtube.com',
  'youtu.be',
  'youtube-nocookie.com',
  'vimeo.com',
  'dailymotion.com',
  'dai.ly',
  'twitch.tv',
  'loom.com',
  'wistia.com',
  'wistia.net',
  'wi.st',
  'vidyard.com',
  'streamable.com',
  'rumble.com',
  'odysee.com',
  'bitchute.com',
  'tiktok.com',
  'videopress.com',
  'rutube.ru',
  'nicovideo.jp',
  'nico.ms',
  'youku.com',
  'fb.watch',
  'b23.tv',
  'players.brightcove.net',
];

/** Sites with videos among other pages: only these paths count as videos. */
const videoPaths: readonly [host: string, path: RegExp][] = [
  ['facebook.com', /^\/(?:watch|reel|[^/]+\/videos)(?:\/|$)/],
  ['instagram.com', /^\/(?:reel|tv)\//],
  ['ted.com', /^\/talks\/./],
  ['bilibili.com', /^\/(?:video|bangumi\/play)\//],
  ['vk.com', /^\/(?:video|clip)-?\d/],
  ['ok.ru', /^\/(?:video|videoembed)\//],
  ['archive.org', /^\/(?:embed|movies)\//],
  ['drive.google.com', /^\/videos?\//],
];

/** Subdomains of video sites with text, such as manuals and news. */
const textSubdomains = new Set([
  'about',
  'api',
  'blog',
  'dev',
  'developer',
  'developers',
  'docs',
  'help',
  'status',
  'support',
]);

const mediaExtensions = new Set(
  (
    '3gp aac aif aiff avi flac flv m2ts m3u8 m4a m4b m4v mkv mov mp3 mp4 mpd mpeg mpg ' +
    'oga ogg ogv opus wav weba webm wma wmv'
  ).split(' '),
);

const subdomainOf = (host: string, site: string): string | null => {
  if (host === site) return '';
  return host.endsWith(`.${site}`) ? host.slice(0, -site.length - 1) : null;
};

const isOnVideoHost = (url: URL): boolean => {
  const host = url.hostname.replace(/\.$/, '');
  const whole = videoHosts.some((site) => {
    const subdomain = subdomainOf(host, site);
    return subdomain !== null && !textSubdomains.has(subdomain);
  });
  return (
    whole || videoPaths.some(([site, path]) => subdomainOf(host, site) !== null && path.test(url.pathname))
  );
};

/** Returns whether the URL has the extension of an audio file, a video file or a playlist. */
export const isMediaFileUrl = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const extension = /\.([a-z0-9]{2,4})\/?$/i.exec(new URL(url).pathname)?.[1] ?? '';
  return mediaExtensions.has(extension.toLowerCase());
};

/** Returns whether indexing the URL needs a transcript: it is a page of a known video site, or a media file. */
export const isVideoUrl = (url: string): boolean =>
  isMediaFileUrl(url) || (URL.canParse(url) && isOnVideoHost(new URL(url)));
