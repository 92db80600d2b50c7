const subjects = [
  'The harbour',
  'A small workshop',
  'Every gardener',
  'The new bridge',
  'Our baker',
  'The old library',
  'A patient teacher',
  'The river',
];
const verbs = ['keeps', 'repairs', 'shows', 'follows', 'remembers', 'measures', 'carries', 'opens'];
const objects = [
  'the wooden boats',
  'seventeen clocks',
  'a map of the valley',
  'the longest winter',
  'bread for the village',
  'what the maps left out',
  'three kinds of rope',
  'the morning light',
];
const ends = [
  'before the market starts',
  'when nobody asks for it',
  'since the flood of last spring',
  'with great care and few words',
  'as long as the lamps burn',
  'although the roof still leaks',
  'and writes it into a ledger',
  'behind the mill on the hill',
];

const pick = (words: readonly string[], n: number): string => words[n % words.length] ?? '';

/** Returns the same made-up sentence for the same number, and distinct ones for numbers below 4,096. */
export function sentence(n: number): string {
  return `${pick(subjects, n)} ${pick(verbs, n >> 3)} ${pick(objects, n >> 6)} ${pick(ends, n >> 9)}, number ${n} says.`;
}

/** `count` sentences from number `from` on as one paragraph. */
export function prose(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => sentence(from + i)).join(' ');
}

/** `paragraphs` of four sentences each, wrapped in p elements. */
export function paragraphs(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `<p>${prose(from + i * 4, 4)}</p>`).join('\n');
}
