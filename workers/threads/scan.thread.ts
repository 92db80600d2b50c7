import type { RecognisedPage } from '../../reader/reading.js';
import { recognisePage } from '../../reader/recognise-page.js';
import { recogniserOf } from '../recognise/engine.js';
import type { ScanInput } from './extract-threads.js';

/** Recognises the text of one page. */
export const recogniseScan = ({ bytes, page, languages }: ScanInput): Promise<RecognisedPage> =>
  recognisePage(bytes, page, recogniserOf(languages));
