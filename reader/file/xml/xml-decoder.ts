/**
 * Decodes an XML entity, detecting the charset from its BOM, the byte pattern of `<?xml`, or its declaration (XML 1.0,
 * appendix F).
 */
export function createXmlDecoder(): { write(bytes: Uint8Array): string; end(): string } {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  return {
    write(bytes) {
      decoder ??= new TextDecoder(sniffXmlEncoding(bytes));
      return decoder.decode(bytes, { stream: true });
    },
    end: () => decoder?.decode() ?? '',
  };
}

function sniffXmlEncoding(head: Uint8Array): string {
  const [a, b, c] = head;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0x3c && b === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c) return 'utf-16be';
  const declaration = Buffer.from(head.subarray(0, 200)).toString('latin1');
  const label = /^<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(declaration)?.[1] ?? 'utf-8';
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return 'utf-8';
  }
}
