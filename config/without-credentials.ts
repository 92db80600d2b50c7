/** The text with user info and query of every URL in it blanked: both may hold passwords, keys or signatures. */
const withoutCredentials = (text: string): string =>
  text.replace(/\/\/[^\s"]*@/g, '//[redacted]@').replace(/\?[^\s"]*/g, '?[redacted]');

/** A value for a message: as JSON, without credentials, cut where it gets long. */
export function shown(value: unknown): string {
  const text = withoutCredentials(JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
