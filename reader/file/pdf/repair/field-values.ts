import type { PdfObject } from './objects.js';

/** Maximum length of a value. */
export const MAX_VALUE = 64 * 1024;
/** Maximum length of all streams in memory that may be values, and of all written values. */
const MAX_BYTES = 4 * 1024 * 1024;

const isField = /\/(?:FT|Parent|Kids|T)(?![A-Za-z])/;
const value = /\/V\s+(\d{1,10})\s+\d+\s+R(?![A-Za-z])/;

/** Puts the values of form fields that are streams (ISO 32000-1, table 228) into the fields, because pdf.js ignores them. */
export function createFieldValues() {
  const fields = new Map<number, PdfObject>();
  const streams = new Map<number, string>();
  let bytes = 0;
  return {
    see(object: PdfObject): void {
      if (value.test(object.text) && isField.test(object.text)) fields.set(object.number, object);
    },
    /** Takes a stream without a type. */
    hold({ number, text }: PdfObject, content: string): void {
      if (content.length > MAX_VALUE || /\/(?:Type|Subtype)(?![A-Za-z])/.test(text)) return;
      bytes += content.length;
      if (bytes <= MAX_BYTES) streams.set(number, content);
    },
    /** Returns the fields with their values as strings. */
    *withValues(): Generator<{ object: PdfObject; source: string }> {
      let left = MAX_BYTES;
      for (const object of fields.values()) {
        const content = streams.get(Number(value.exec(object.text)?.[1]));
        if (content === undefined) continue;
        left -= content.length;
        if (left < 0) return;
        const hex = Buffer.from(content, 'latin1').toString('hex');
        yield { object, source: object.text.replace(value, `/V <${hex}>`) };
      }
    },
  };
}
