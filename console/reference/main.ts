// The published bundle, because the sources would need the package's own build.
import '../../node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js';

/* Applies the system's colour scheme, which the component supports only by attributes. */

type Colours = Record<string, string>;

const light: Colours = {
  'bg-color': '#ffffff',
  'text-color': '#20262b',
  'header-color': '#20262b',
  'primary-color': '#0f5f57',
  'secondary-color': '#0f5f57',
  'nav-bg-color': '#efede7',
  'nav-text-color': '#20262b',
  'nav-hover-bg-color': '#e0efec',
  'nav-hover-text-color': '#0f5f57',
};

const dark: Colours = {
  'bg-color': '#1b2023',
  'text-color': '#e9e6df',
  'header-color': '#e9e6df',
  'primary-color': '#7fd0c3',
  'secondary-color': '#7fd0c3',
  'nav-bg-color': '#14181a',
  'nav-text-color': '#e9e6df',
  'nav-hover-bg-color': '#1d3532',
  'nav-hover-text-color': '#7fd0c3',
};

const page = document.querySelector('openapi-explorer');

// The colour of inline code has no attribute, and is too dark in the dark scheme.
const readable = new CSSStyleSheet();
readable.replaceSync('.m-markdown code, .m-markdown-small code { color: inherit; }');
page?.shadowRoot?.adoptedStyleSheets.push(readable);

const isDark = matchMedia('(prefers-color-scheme: dark)');

function paint(): void {
  for (const [name, colour] of Object.entries(isDark.matches ? dark : light))
    page?.setAttribute(name, colour);
}

isDark.addEventListener('change', paint);
paint();
