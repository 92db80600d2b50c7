/** Of goals that may be missed, by their `what`: why, and what it would take. Shown only where one of them is missed. */
export const misses: readonly { of: readonly string[]; text: string }[] = [];
