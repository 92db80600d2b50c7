const FORM = /^[1-9][0-9]{0,15}$/;

/** Parses a message id. Returns null for an invalid one. */
export function messageIdOf(sent: string | number): number | null {
  const text = String(sent);
  if (!FORM.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
