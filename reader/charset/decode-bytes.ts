export interface DecodedText {
  text: string;
  /** WHATWG name, lower case. */
  charset: string;
}

/**
 * Decodes in stream mode. The one-call path of Node 20 reads windows-1252 as ISO-8859-1, which loses quotation marks,
 * dashes and the euro sign.
 */
export function decodeBytes(bytes: Uint8Array, charset: string): string {
  const decoder = new TextDecoder(charset);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}
