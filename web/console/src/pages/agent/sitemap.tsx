import type { SitemapReport } from '../../api/types.js';
import { labelOf } from '../../forms/words.js';
import { count, several } from '../../parts/numbers.js';

/** Which pages of a sitemap were added, and why others were not. */
export const Sitemap = ({ host, sitemaps, found, added, skipped }: SitemapReport) => (
  <section class="panel">
    <h3>Sitemap of {host}</h3>
    <p>
      {several(sitemaps, 'sitemap')} read, {several(found, 'page')} found, {count(added)} taken.
    </p>
    {skipped.map(({ reason, count: times, examples }) => (
      <details key={reason}>
        <summary>
          {labelOf(reason)}: {count(times)} left out
        </summary>
        <ul class="plain small">
          {examples.map((url) => (
            <li key={url}>{url}</li>
          ))}
        </ul>
      </details>
    ))}
  </section>
);
