/** Reads what the host page stored of an object. Scripts of the page can change it. */
export function parsed<T extends object>(stored: string | null): Partial<T> {
  try {
    return JSON.parse(stored ?? '{}') as Partial<T>;
  } catch {
    return {};
  }
}
