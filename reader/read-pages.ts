export { refreshTarget } from './page/meta-refresh.js';
export { type PageLinks, pageLinks } from './page/page-links.js';
export { readPage } from './page/read-page.js';
export { findCaptionTracks } from './transcript/caption-tracks.js';
export { readTranscript } from './transcript/read-transcript.js';
