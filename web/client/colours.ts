import type { FrameSettings } from '../../core/http/widget/frame-settings.schema.js';

/** Red, green and blue from 0 to 255. */
type Rgb = [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** Used unless the owner of the agent has chosen a primary colour. */
export const DEFAULT_COLOUR: Rgb = [37, 84, 199];
/** WCAG 2, level AA, for text of normal size. */
const MIN_CONTRAST = 4.5;

/** Backgrounds of messages, as in page.css. */
const surfaces: Record<'light' | 'dark', Rgb> = { light: [255, 255, 255], dark: [38, 41, 48] };

type Colours = Pick<FrameSettings, 'bubbleColor' | 'primaryColor' | 'primaryColorHeader'>;

/** Sets the chosen colours as custom properties. Text on them is black or white, whichever contrasts more. */
export function applyColours(
  { style, dataset }: HTMLElement,
  { bubbleColor, primaryColor, primaryColorHeader }: Colours,
  appearance: 'light' | 'dark',
): void {
  const primary = parseColour(primaryColor) ?? DEFAULT_COLOUR;
  const bubble = parseColour(bubbleColor) ?? primary;
  dataset.appearance = appearance;
  dataset.header = primaryColorHeader ? 'primary' : 'neutral';
  const values: Record<string, Rgb> = {
    '--primary': primary,
    '--on-primary': textOn(primary),
    '--bubble': bubble,
    '--on-bubble': textOn(bubble),
    '--link': readable(primary, surfaces[appearance]),
  };
  for (const [name, [red, green, blue]] of Object.entries(values))
    style.setProperty(name, `rgb(${red} ${green} ${blue})`);
}

/** Parses any CSS colour through the browser; null if it is invalid. Translucent colours are blended with white. */
export function parseColour(text: string | null): Rgb | null {
  // Mixing normalises the colour space, and refuses keywords such as `inherit`.
  const mixed = `color-mix(in srgb, ${text} 100%, white)`;
  if (text === null || !CSS.supports('color', text) || !CSS.supports('color', mixed)) return null;
  const probe = document.createElement('i');
  probe.style.backgroundColor = mixed;
  document.body.append(probe);
  const computed = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const [red = 0, green = 0, blue = 0, alpha = 1] = computed
    .replace(/^color\(srgb/, '')
    .split(/[\s/()]+/)
    .filter((part) => part !== '' && Number.isFinite(Number(part)))
    .map(Number);
  const channel = (value: number): number =>
    Math.round(Math.min(1, Math.max(0, value * alpha + 1 - alpha)) * 255);
  return computed.startsWith('color(srgb') ? [channel(red), channel(green), channel(blue)] : null;
}

export const textOn = (background: Rgb): Rgb =>
  contrast(background, WHITE) >= contrast(background, BLACK) ? WHITE : BLACK;

/** Mixes black or white into a colour until it is readable on the background. */
function readable(colour: Rgb, background: Rgb): Rgb {
  const target = textOn(background);
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = colour.map((value, at) => Math.round(value + ((target[at] ?? 0) - value) * share)) as Rgb;
    if (contrast(mixed, background) >= MIN_CONTRAST) return mixed;
  }
  return target;
}

export function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance of WCAG 2. */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
