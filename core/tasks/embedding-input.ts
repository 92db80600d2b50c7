/** Encodes the texts of an embedding task for the storage. A message holds small values only. */
export const encodeTexts = (texts: readonly string[]): Buffer => Buffer.from(JSON.stringify(texts));

/** Decodes the texts; null if the object is damaged or of another format. */
export function decodeTexts(bytes: Buffer): string[] | null {
  try {
    const texts: unknown = JSON.parse(bytes.toString('utf8'));
    return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : null;
  } catch {
    return null;
  }
}
