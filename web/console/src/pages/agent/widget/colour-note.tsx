import { contrast, DEFAULT_COLOUR, parseColour, textOn } from '../../../../../client/colours.js';
import { labelOf } from '../../../forms/words.js';

type Colour = NonNullable<ReturnType<typeof parseColour>>;

const WHITE: Colour = [255, 255, 255];
/** Minimum contrast of user interface components: WCAG 2.1, success criterion 1.4.11. */
const MIN_CONTRAST = 3;

const hexOf = (colour: Colour): string =>
  `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

const ratio = (value: number): string => `${(Math.floor(value * 10) / 10).toFixed(1)}:1`;

/** Returns a problem if browsers do not know the colour. */
export const colourProblems = (name: string, text: string): [string, string[]][] =>
  text === '' || parseColour(text) ? [] : [[name, ['must be a CSS colour, for example #2554c7']]];

interface ColourNoteProps {
  name: string;
  /** The colour as typed. */
  colour: string;
  /** The default colour. */
  usual: string;
  onPick: (hex: string) => void;
}

/** A colour picker in the field, and a warning below it if the colour has too little contrast. */
export function ColourNote({ name, colour: typed, usual, onPick }: ColourNoteProps) {
  const colour = parseColour(typed);
  return (
    <>
      <input
        type="color"
        class="swatch"
        aria-label={`Pick: ${labelOf(name)}`}
        value={hexOf(colour ?? parseColour(usual) ?? DEFAULT_COLOUR)}
        onInput={(event) => onPick(event.currentTarget.value)}
      />
      <p class="hint" role="status">
        {typed === '' ? '' : describe(colour)}
      </p>
    </>
  );
}

function describe(colour: Colour | null): string {
  if (!colour) return 'Not a CSS colour. The widget shows its default.';
  const text = textOn(colour);
  const onWhite = contrast(colour, WHITE);
  const readable = `Text on it is ${text[0] === 0 ? 'black' : 'white'} (contrast ${ratio(contrast(colour, text))}).`;
  return onWhite < MIN_CONTRAST
    ? `${readable} On white pages it is hard to see: its contrast is ${ratio(onWhite)}, less than ${MIN_CONTRAST}:1.`
    : readable;
}
