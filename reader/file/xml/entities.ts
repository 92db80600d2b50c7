const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Resolves character references and the five predefined entities of XML 1.0. Drops other entities: DTDs are not read,
 * so that no entity can expand or be fetched.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#[xX]?[0-9a-fA-F]{1,8}|[^\s&;<]{1,64});/g, (_, name: string) => {
    if (!name.startsWith('#')) return predefined[name] ?? '';
    const hex = name[1] === 'x' || name[1] === 'X';
    const code = Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
  });
}
