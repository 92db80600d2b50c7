import type { FrameSettings } from '../../../core/http/widget/frame-settings.schema.js';
import { applyColours } from '../../client/colours.js';
import type { FrameMessage, HostMessage, Screen, Shape } from '../protocol.js';
import { element, setAttributes } from './dom.js';
import { icon } from './icons.js';
import { picture } from './picture.js';
import { codeOf, Refusal } from './refusal.js';
import type { Session } from './session.js';
import type { Strings } from './strings.js';
import { showTeaser } from './teaser.js';
import type { Visitor } from './visitor.js';

/** Properties that the widget passes to its panel. */
export interface PanelProps {
  settings: FrameSettings;
  strings: Strings;
  visitor: Visitor;
  session: Session;
  /** Increases when the visitor changes. The panel then restarts. */
  generation: number;
  isOpen: boolean;
  /** True if the panel fills the host's viewport and is modal. */
  isFull: boolean;
  onClose(): void;
  /** Called with the number of messages that arrived while the panel was closed. */
  onUnread(count: number): void;
  send(message: FrameMessage): void;
}

/** Renders the panel into an element, or updates the panel there. */
export type RenderPanel = (into: Element, props: PanelProps) => void;

export interface WidgetOptions {
  settings: FrameSettings;
  strings: Strings;
  screen: Screen;
  visitor: Visitor;
  session: Session;
  /** Loads the panel when it is first opened. */
  loadPanel(): Promise<RenderPanel>;
  /** Sends a message to the host page. */
  send(message: FrameMessage): void;
}

export interface Widget {
  handle(message: HostMessage): void;
  update(settings: FrameSettings, strings: Strings): void;
}

/** Size of the frame while closed, in pixels: the bubble with its focus ring. */
const CLOSED = 64;
/** Size of the frame while open, in pixels: the panel with the bubble below it. */
const OPEN = { width: 408, height: 712 };
const TEASER_WIDTH = 316;
/** Pause in ms before the page is reloaded after the panel could not be loaded. */
const RELOAD_MS = 3000;

/** Shows the bubble, and loads the panel when it is opened. Uses no framework, so that a closed bubble is small. */
export function createWidget(options: WidgetOptions): Widget {
  const { visitor, session, send } = options;
  let { settings, strings, screen } = options;
  let renderPanel: RenderPanel | null = null;
  let isLoading = false;
  /** True if the panel should be open, even while it is still loading. */
  let isOpen = false;
  let generation = 0;
  let removeTeaser: (() => void) | null = null;
  let teaserHeight: number | null = null;
  let shownIcon = '';
  let unread = 0;
  const badge = element('span', { class: 'badge', 'aria-hidden': 'true' });
  const sent = new Map<string, string>();

  const panel = element('div');
  const bubble = element('button', { type: 'button', class: 'bubble' });
  const main = element('main', { class: 'widget' }, panel, bubble);
  document.body.append(main);
  bubble.addEventListener('click', () => (isOpen ? close(true) : open()));
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    if (isOpen) close(true);
    else dismissTeaser();
  });

  function open(): void {
    if (isOpen) return;
    isOpen = true;
    dismissTeaser();
    if (renderPanel) opened();
    else load();
  }
  function load(): void {
    if (isLoading) return;
    isLoading = true;
    options.loadPanel().then(
      (loaded) => {
        renderPanel = loaded;
        if (isOpen) opened();
        else draw();
      },
      () => {
        isLoading = false;
        if (!isOpen) return;
        // Browsers remember that a module failed to load until the page is reloaded.
        isOpen = false;
        send({ cadre: 'event', name: 'error', detail: { code: 'NETWORK' } });
        // Otherwise, the loader would open the panel of the new page again, in an endless loop.
        send({ cadre: 'event', name: 'close', detail: undefined });
        setTimeout(() => location.reload(), RELOAD_MS);
      },
    );
  }
  function opened(): void {
    draw();
    send({ cadre: 'event', name: 'open', detail: undefined });
  }
  function close(focusBubble: boolean): void {
    // A page of its own has nothing below the panel.
    if (!isOpen || settings.isWhole) return;
    isOpen = false;
    draw();
    if (renderPanel) send({ cadre: 'event', name: 'close', detail: undefined });
    if (focusBubble) bubble.focus();
  }
  function dismissTeaser(): void {
    removeTeaser?.();
    removeTeaser = null;
    teaserHeight = null;
    if (session.isTeaserDismissed()) return;
    session.dismissTeaser();
    draw();
  }
  function restart(): void {
    generation += 1;
    draw();
  }
  async function identify(id: number, token: string): Promise<void> {
    try {
      const identified = await visitor.identify(token);
      if (!identified)
        return send({
          cadre: 'unidentified',
          id,
          reason: 'A later call of identify or reset replaced this one.',
        });
      const { userId, previousUserId } = identified;
      // A message being sent may be sent again after the first identification, but not as another user.
      if (previousUserId !== null && previousUserId !== userId) session.drop();
      if (previousUserId !== userId) restart();
      send({ cadre: 'identified', id, userId });
    } catch (thrown) {
      const problem = thrown instanceof Refusal ? thrown.fieldErrors.identity?.[0] : undefined;
      const reason = problem ? `The token ${problem}.` : String((thrown as Error).message);
      send({ cadre: 'unidentified', id, reason });
      send({ cadre: 'event', name: 'error', detail: { code: codeOf(thrown) } });
    }
  }

  function draw(): void {
    const side = settings.position === 'bottom-left' ? 'left' : 'right';
    const isPanelOpen = isOpen && renderPanel !== null;
    const shape: Shape = isPanelOpen ? 'open' : teaserHeight === null ? 'closed' : 'teaser';
    const { documentElement } = document;
    document.title = settings.title;
    setAttributes(documentElement, { lang: strings.locale, dir: strings.dir });
    applyColours(documentElement, settings, settings.appearance ?? (screen.dark ? 'dark' : 'light'));
    setAttributes(main, {
      'data-side': side,
      'data-full': String(screen.full),
      'data-whole': String(settings.isWhole),
    });
    const opens = strings.text(isOpen ? 'closeChat' : 'openChat');
    const label = unread > 0 ? `${opens}. ${strings.text('newMessages', { count: unread })}` : opens;
    badge.textContent = String(unread);
    badge.hidden = unread === 0;
    setAttributes(bubble, { 'aria-expanded': String(isPanelOpen), 'aria-label': label, title: label });
    bubble.hidden = isPanelOpen && screen.full;
    const wanted = isPanelOpen ? 'close' : `chat ${settings.bubbleIconUrl}`;
    if (wanted !== shownIcon)
      bubble.replaceChildren(
        isPanelOpen ? icon('close') : picture(settings.bubbleIconUrl, icon('chat')),
        badge,
      );
    shownIcon = wanted;
    const sizes = { open: OPEN, teaser: { width: TEASER_WIDTH, height: CLOSED + (teaserHeight ?? 0) } };
    const { width, height } = shape === 'closed' ? { width: CLOSED, height: CLOSED } : sizes[shape];
    sendOnce({ cadre: 'layout', shape, width, height });
    renderPanel?.(panel, {
      ...{ settings, strings, visitor, session, send, generation },
      isOpen,
      isFull: screen.full,
      onClose: () => close(true),
      onUnread(count) {
        if (count === unread) return;
        unread = count;
        draw();
      },
    });
    sendOnce({ cadre: 'ready', title: settings.title, side });
  }
  /** Sends a state of the widget, unless the host already has it. */
  function sendOnce(message: FrameMessage): void {
    const text = JSON.stringify(message);
    if (sent.get(message.cadre) === text) return;
    sent.set(message.cadre, text);
    send(message);
  }

  draw();
  // A person may have written: the closed panel follows the conversation.
  if (visitor.seen() !== null) load();
  const { initialMessages, showInitialMessageBubble } = settings;
  const [text] = initialMessages;
  if (
    text !== undefined &&
    showInitialMessageBubble &&
    !session.isTeaserDismissed() &&
    !visitor.hasConversation()
  )
    removeTeaser = showTeaser(bubble, {
      text,
      strings,
      onOpen: open,
      onDismiss() {
        dismissTeaser();
        bubble.focus();
      },
      onHeight(height) {
        teaserHeight = height;
        draw();
      },
    });

  return {
    handle(message) {
      switch (message.cadre) {
        case 'screen':
          screen = message.screen;
          return draw();
        case 'open':
          return open();
        case 'close':
          return close(false);
        case 'identify':
          return void identify(message.id, message.token);
        case 'reset':
          visitor.reset();
          session.drop();
          return restart();
      }
    },
    update(nextSettings, nextStrings) {
      settings = nextSettings;
      strings = nextStrings;
      draw();
    },
  };
}
