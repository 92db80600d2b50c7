/** Blanks user info and query of every URL: both may contain passwords, keys or signatures. */
const withoutCredentials = (text: string): string =>
  text.replace(/\/\/[^\s"]*@/g, '//[redacted]@').replace(/\?[^\s"]*/g, '?[redacted]');

/** Formats a value for a message: as JSON, without credentials, shortened. */
export function shown(value: unknown): string {
  const text = withoutCredentials(JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
