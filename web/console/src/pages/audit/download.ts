import { send } from '../../api/request.js';
import { saveFile } from '../../parts/save-file.js';

/** Maximum number of pages in one file. */
const MOST_PAGES = 1000;

/** Saves all rows that match as a file of NDJSON. */
export async function download(query: Record<string, string>): Promise<void> {
  const parts: string[] = [];
  const headers = { accept: 'application/x-ndjson' };
  let cursor: string | null = '';
  for (let page = 0; cursor !== null && page < MOST_PAGES; page += 1) {
    const response: Response = await send('/audit', { query: { ...query, limit: 100, cursor }, headers });
    parts.push(await response.text());
    const [, next = null] = /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '') ?? [];
    cursor = next && decodeURIComponent(next);
  }
  saveFile('audit.ndjson', new Blob(parts, { type: 'application/x-ndjson' }));
}
