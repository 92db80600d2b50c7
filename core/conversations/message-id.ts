const FORM = /^[1-9][0-9]{0,15}$/;

/** A message id as the API writes it; null for everything that cannot be one. */
export function messageIdOf(sent: string | number): number | null {
  const text = String(sent);
  if (!FORM.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
