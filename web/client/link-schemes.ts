const SCHEMES = ['http:', 'https:', 'mailto:'];

/** Returns whether an answer may link to a URL. Relative URLs may not, because they would point to the service. */
export function isAllowed(url: string): boolean {
  try {
    return SCHEMES.includes(new URL(url).protocol);
  } catch {
    return false;
  }
}
