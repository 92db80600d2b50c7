import { htmlText } from './html-text.js';
import type { Content } from './reader.js';

/** No choice at all: everything in the body. What a page reader must be better than. */
export const read = (bytes: Uint8Array): Content => ({ text: htmlText(new TextDecoder().decode(bytes)) });
