/** Parses an object that the host page has stored. Scripts of the host may have changed it. */
export function parsed<T extends object>(stored: string | null): Partial<T> {
  try {
    return JSON.parse(stored ?? '{}') as Partial<T>;
  } catch {
    return {};
  }
}
