import type { Screen, Shape, Side } from '../protocol.js';

/** Below this width or height, the open panel fills the viewport. Pixels. */
const FULL_BELOW = 480;
/** Distance to the edges of the viewport. Pixels. */
const GAP = 12;
/** Bounds of the sizes that the frame may request. Pixels. */
const bounds: Record<Shape, { min: number; width: number; height: number }> = {
  closed: { min: 32, width: 128, height: 128 },
  teaser: { min: 32, width: 360, height: 320 },
  open: { min: 240, width: 520, height: 840 },
};
/** Minimum interval between insertions in ms, in case a script of the host removes the element each time. */
const RETURN_MS = 100;

const viewport = (): Element => document.scrollingElement ?? document.documentElement;
const isFull = (): boolean => Math.min(innerWidth, innerHeight) < FULL_BELOW;
/** Null only in documents that are not displayed. */
const visible = visualViewport as VisualViewport;
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

export interface Frame {
  readonly window: Window | null;
  readonly screen: Screen;
  layout(shape: Shape, width: number, height: number): void;
  reveal(title: string, side: Side): void;
  setHidden(hidden: boolean): void;
  remove(): void;
}

/**
 * Adds `<cadre-widget>` beside the body, with one frame in a closed shadow root. Styles are set through CSSOM, which
 * the host's content security policy does not restrict. The frame is moved by a transform, because browsers would count
 * a change of its edges as a layout shift.
 */
export function createFrame(
  url: string,
  { onLoad, onScreen }: { onLoad: () => void; onScreen: (screen: Screen) => void },
): Frame {
  const element = document.createElement('cadre-widget');
  const frame = document.createElement('iframe');
  let placed = { shape: 'closed' as Shape, width: 64, height: 64 };
  let side: Side = 'right';
  let isReady = false;
  let isHidden = false;

  style(element, {
    all: 'initial',
    display: 'block',
    position: 'fixed',
    top: '0',
    left: '0',
    width: '0',
    height: '0',
    'z-index': '2147483647',
  });
  style(frame, {
    position: 'fixed',
    top: '0',
    left: '0',
    margin: '0',
    padding: '0',
    border: '0',
    'max-width': 'none',
    'max-height': 'none',
    background: 'transparent',
    // If its colour scheme differs from the document's, a frame is opaque.
    'color-scheme': 'light',
    visibility: 'hidden',
  });
  frame.referrerPolicy = 'origin';
  frame.allow = 'clipboard-write';
  frame.src = url;
  frame.addEventListener('load', () => {
    isReady = false;
    show();
    onLoad();
  });
  element.attachShadow({ mode: 'closed' }).append(frame);

  function place(): void {
    const { shape, width, height } = placed;
    const { clientWidth, clientHeight } = viewport();
    if (shape === 'open' && isFull()) {
      const { offsetLeft, offsetTop, width: w, height: h } = visible;
      move(offsetLeft, offsetTop, w, h);
      return;
    }
    const limit = bounds[shape];
    const w = clamp(width, limit.min, Math.min(limit.width, clientWidth - GAP));
    const h = clamp(height, limit.min, Math.min(limit.height, clientHeight - GAP));
    move(side === 'left' ? GAP : clientWidth - GAP - w, clientHeight - GAP - h, w, h);
  }
  const move = (x: number, y: number, width: number, height: number): void =>
    style(frame, { width: `${width}px`, height: `${height}px`, transform: `translate(${x}px, ${y}px)` });
  const show = (): void => style(frame, { visibility: isReady && !isHidden ? 'visible' : 'hidden' });

  const screen = (): Screen => ({ full: isFull(), dark: darkScheme.matches });
  const changed = (): void => {
    place();
    onScreen(screen());
  };
  addEventListener('resize', changed);
  darkScheme.addEventListener('change', changed);
  visible.addEventListener('resize', place);
  visible.addEventListener('scroll', place);

  let returning: ReturnType<typeof setTimeout> | undefined;
  const insert = (): void => {
    document.documentElement.append(element);
    watch();
  };
  const observer = new MutationObserver(() => {
    if (element.parentNode === document.documentElement) return;
    clearTimeout(returning);
    returning = setTimeout(insert, RETURN_MS);
  });
  const watch = (): void => {
    observer.disconnect();
    observer.observe(document, { childList: true });
    observer.observe(document.documentElement, { childList: true });
  };
  place();
  insert();

  return {
    get window() {
      return frame.contentWindow;
    },
    get screen() {
      return screen();
    },
    layout(shape, width, height) {
      if (!Object.hasOwn(bounds, shape)) return;
      placed = { shape, width, height };
      place();
    },
    reveal(title, at) {
      frame.title = title;
      side = at;
      isReady = true;
      place();
      show();
    },
    setHidden(hidden) {
      isHidden = hidden;
      show();
    },
    remove() {
      observer.disconnect();
      clearTimeout(returning);
      removeEventListener('resize', changed);
      darkScheme.removeEventListener('change', changed);
      visible.removeEventListener('resize', place);
      visible.removeEventListener('scroll', place);
      element.remove();
    },
  };
}

/** Returns `max` if the bounds contradict each other, as in a tiny viewport. */
const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, Number.isFinite(value) ? value : min));

/** Marks styles as important, so that stylesheets of the host do not apply. */
function style({ style: declarations }: HTMLElement, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) declarations.setProperty(name, value, 'important');
}
