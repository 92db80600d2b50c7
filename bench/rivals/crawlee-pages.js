import { CheerioCrawler, Configuration, LogLevel, log } from '@crawlee/cheerio';

log.setLevel(LogLevel.ERROR);

/** With its defaults, but as many at a time as the others from the start on, and nothing on disk. */
export async function round(items) {
  let done = 0;
  const crawler = new CheerioCrawler(
    {
      minConcurrency: 8,
      maxConcurrency: 8,
      requestHandler({ $ }) {
        $('script, style, noscript, template').remove();
        if ($('body').text() !== '') done += 1;
      },
    },
    new Configuration({ persistStorage: false, purgeOnStart: true }),
  );
  await crawler.run(items);
  await crawler.teardown();
  return done;
}
