// Development and tests run from source; threads do not inherit the TypeScript loader of the process that starts them.
import { register } from 'tsx/esm/api';

register();

export const {
  extractPage,
  extractTranscript,
  findCaptionTracks,
  isAllowed,
  listSitemap,
  readSitePage,
  refreshTarget,
  robotsFacts,
} = await import('./page.thread.ts');
export const { extractFile } = await import('./file.thread.ts');
export const { recogniseScan } = await import('./scan.thread.ts');
