import { timeSlices } from '../../fairness/time-slices.js';

/** Characters of JSON per buffer. Encoding them takes about a millisecond. */
const PIECE = 65_536;
/** Fields whose lists are encoded item by item: sources, conversations, messages. */
const lists: ReadonlySet<string> = new Set(['data', 'messages']);

/** A text of megabytes, kept in slices because joining them would block the event loop. */
export class SlicedText {
  readonly slices: readonly string[];
  constructor(slices: readonly string[]) {
    this.slices = slices;
  }
  toJSON(): string {
    return this.slices.join('');
  }
}

/**
 * Encodes a response in slices of the event loop. The JSON has the same value as that of JSON.stringify; a surrogate pair
 * that two pieces share is written as two escape sequences.
 */
export async function jsonInSlices(response: object): Promise<Buffer[]> {
  const pause = timeSlices();
  const encoded: Buffer[] = [];
  let json = '';
  const flush = (): void => {
    encoded.push(Buffer.from(json));
    json = '';
  };
  for (const piece of piecesOfObject(response)) {
    json += piece;
    if (json.length < PIECE) continue;
    flush();
    await pause();
  }
  flush();
  return encoded;
}

function* piecesOfObject(object: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    if (value instanceof SlicedText) yield* piecesOfText(value);
    else if (Array.isArray(value) && lists.has(name)) yield* piecesOfList(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* piecesOfList(items: object[]): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before;
    yield* piecesOfObject(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* piecesOfText({ slices }: SlicedText): Generator<string> {
  yield '"';
  for (const slice of slices)
    for (let at = 0; at < slice.length; at += PIECE)
      yield JSON.stringify(slice.slice(at, at + PIECE)).slice(1, -1);
  yield '"';
}
