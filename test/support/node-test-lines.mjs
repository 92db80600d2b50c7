/** Reporter for `node --test`: one line of JSON per test, for a tap test that runs a third-party suite. */
export default async function* lines(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, skip, details } = data;
    const error = details?.error?.cause?.stack ?? details?.error?.message;
    yield `${JSON.stringify({ name, ok: type === 'test:pass', skip, error })}\n`;
  }
}
