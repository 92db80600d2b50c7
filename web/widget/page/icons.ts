import { svgElement } from './dom.js';

/** Paths in a square of 24 units. */
export const iconPaths = {
  chat: 'M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z',
  close: 'm6 6 12 12M18 6 6 18',
};

export const icon = (name: keyof typeof iconPaths): SVGElement =>
  svgElement(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    svgElement('path', { d: iconPaths[name] }),
  );
