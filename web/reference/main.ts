// The published bundle, because the sources would need the package's own build.
import '../../node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js';

/* Applies the console's colours, which the component accepts only as attributes. */

/** CSS variables of the console, by attribute. */
const colours = {
  'bg-color': '--sheet',
  'text-color': '--ink',
  'header-color': '--ink',
  'primary-color': '--accent',
  'secondary-color': '--accent',
  'nav-bg-color': '--sunk',
  'nav-text-color': '--ink',
  'nav-hover-bg-color': '--accent-soft',
  'nav-hover-text-color': '--accent',
};

const page = document.querySelector('openapi-explorer');

// The colour of inline code has no attribute, and is too dark in the dark scheme.
const readable = new CSSStyleSheet();
readable.replaceSync('.m-markdown code, .m-markdown-small code { color: inherit; }');
page?.shadowRoot?.adoptedStyleSheets.push(readable);

const isDark = matchMedia('(prefers-color-scheme: dark)');

function paint(): void {
  const style = getComputedStyle(document.documentElement);
  page?.setAttribute('regular-font', getComputedStyle(document.body).fontFamily);
  for (const [name, variable] of Object.entries(colours))
    page?.setAttribute(name, sixDigits(style.getPropertyValue(variable).trim()));
}

/** The build shortens colours to three digits, which the component cannot parse. */
const sixDigits = (hex: string): string =>
  hex.length === 4 ? hex.replace(/[0-9a-f]/gi, (digit) => digit + digit) : hex;

isDark.addEventListener('change', paint);
paint();
