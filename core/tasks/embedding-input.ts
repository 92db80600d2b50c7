/** The texts of an embedding task, as they wait in the storage: a message holds small values only. */
export const encodeTexts = (texts: readonly string[]): Buffer => Buffer.from(JSON.stringify(texts));

/** The other way; null when the object is damaged, or not one of ours. */
export function decodeTexts(bytes: Buffer): string[] | null {
  try {
    const texts: unknown = JSON.parse(bytes.toString('utf8'));
    return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : null;
  } catch {
    return null;
  }
}
