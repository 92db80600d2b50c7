import type { Attributes } from './attributes.js';

/** Returns whether an element is hidden by its own attributes. */
export function isHiddenBy({ hidden, style, 'aria-hidden': ariaHidden }: Attributes): boolean {
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (ariaHidden === 'true') return true;
  return (
    style !== undefined &&
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style.slice(0, 1000))
  );
}
