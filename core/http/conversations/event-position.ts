/**
 * Position of a stream in its message. It does not count events, so a stream can resume from the stored message, even if
 * the text was split into other events. Positions are compared field by field.
 */
export interface Position {
  /** −1 for the start, the index in the message's parts, infinity for the end. */
  part: number;
  /** Code points of the part that have been sent; infinity for all of it. */
  offset: number;
  /** Number of events sent after that, without a position of their own: steps, sources, an error. */
  beside: number;
}

/** Examples: `1042.s.0`, `1042.0.24`, `1042.0.24s1`, `1042.0.e`, `1042.1.i0`, `1042.1.i`, `1042.z.0` */
const FORM = /^([1-9][0-9]{0,15})\.(?:([sz])\.0|([0-9]{1,7})\.(?:(i?)([0-9]{1,9})|[ei]))(?:s([0-9]{1,7}))?$/;

/** Parses an event id of this message. Returns null for any other text. */
export function readEventId(eventId: string, messageId: number): Position | null {
  const [form, id, edge, part, , offset, beside = '0'] = FORM.exec(eventId) ?? [];
  if (form === undefined || Number(id) !== messageId) return null;
  if (edge !== undefined)
    return { part: edge === 's' ? -1 : Number.POSITIVE_INFINITY, offset: 0, beside: Number(beside) };
  return {
    part: Number(part),
    offset: offset === undefined ? Number.POSITIVE_INFINITY : Number(offset),
    beside: Number(beside),
  };
}

/** Returns the message id in an event id, or null for any other text. */
export function messageOfEventId(eventId: string): number | null {
  const id = Number(FORM.exec(eventId)?.[1]);
  return Number.isSafeInteger(id) ? id : null;
}

export function writeEventId(
  messageId: number | null,
  { part, offset, beside }: Position,
  kind: 'text' | 'tool',
): string {
  const whole = offset === Number.POSITIVE_INFINITY;
  const place =
    part < 0
      ? 's.0'
      : part === Number.POSITIVE_INFINITY
        ? 'z.0'
        : kind === 'text'
          ? `${part}.${whole ? 'e' : offset}`
          : `${part}.i${whole ? '' : offset}`;
  return `${messageId ?? 0}.${place}${beside === 0 ? '' : `s${beside}`}`;
}

export const isBehind = (a: Position, b: Position): boolean =>
  a.part !== b.part ? a.part > b.part : a.offset !== b.offset ? a.offset > b.offset : a.beside > b.beside;
