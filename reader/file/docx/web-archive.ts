/** Maximum number of parts to look at. */
const MAX_PARTS = 1_000;

/** Returns the bytes of the first HTML part of a web page archive (MHTML, RFC 2557); null without one. */
export function pageInArchive(bytes: Uint8Array): Uint8Array | null {
  return htmlIn(Buffer.from(bytes).toString('latin1'), 1);
}

function htmlIn(part: string, depth: number): Uint8Array | null {
  const gap = /\r?\n\r?\n/.exec(part);
  if (gap === null) return null;
  const head = part.slice(0, gap.index).replace(/\r?\n[ \t]+/g, ' ');
  const body = part.slice(gap.index + gap[0].length);
  const type = /^content-type:\s*([^;\s]+)/im.exec(head)?.[1]?.toLowerCase() ?? '';
  if (type === 'text/html') return decoded(body, head);
  const boundary = /\bboundary="?([^";\r\n]{1,200})"?/i.exec(head)?.[1];
  if (!type.startsWith('multipart/') || boundary === undefined || depth > 3) return null;
  for (const one of body.split(`--${boundary}`, MAX_PARTS).slice(1)) {
    const found = htmlIn(one.replace(/^\r?\n/, ''), depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function decoded(body: string, head: string): Uint8Array {
  const encoding = /^content-transfer-encoding:\s*(\S+)/im.exec(head)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const text = body
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(text, 'latin1');
}
