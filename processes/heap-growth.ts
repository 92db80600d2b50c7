import { setFlagsFromString } from 'node:v8';

/**
 * A full collection begins when the heap has grown by so many percent of what the last one left. With a small heap,
 * such as 384 MB, V8 itself begins at some 40 %: beside many large bodies that is a dozen collections a second, whose
 * threads take a third of two processors from requests. The limit of the heap stands: close to it, V8 begins earlier.
 */
const PERCENT = 200;

/** Lets the heap of this process grow further between two full collections. */
export function collectLessOften(): void {
  setFlagsFromString(`--heap-growing-percent=${PERCENT}`);
}
