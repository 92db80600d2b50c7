/*
 * Messages between the loader on the host page and the frame. Both sides check origin and source, and ignore
 * everything that is not on these lists.
 */

/** What the frame cannot measure itself. */
export interface Screen {
  /** The open panel fills the viewport. */
  full: boolean;
  /** The colour scheme of the visitor. Inside of the frame, it would depend on the host's styles. */
  dark: boolean;
}

export type HostMessage =
  | {
      cadre: 'hello';
      /** State of the visitor, as the frame sent it last. */
      memory: string | null;
      screen: Screen;
      /** State of the tab, as the frame sent it last. */
      session: string | null;
      /** JWT of the identified visitor. */
      identity: string | null;
    }
  | { cadre: 'screen'; screen: Screen }
  | { cadre: 'open' | 'close' | 'reset' }
  | { cadre: 'identify'; id: number; token: string };

export type Shape = 'closed' | 'teaser' | 'open';
export type Side = 'left' | 'right';

export interface Events {
  ready: undefined;
  open: undefined;
  close: undefined;
  message: { role: 'user' | 'assistant'; conversationId: string; messageId: string };
  /** The identity has expired: a new token is needed. */
  identity: undefined;
  error: { code: string };
}
export type EventName = keyof Events;

export const eventNames: readonly EventName[] = ['ready', 'open', 'close', 'message', 'identity', 'error'];

/** Events that the frame reports; the loader adds `ready`. */
export type FrameEvent = {
  [Name in EventName]: { cadre: 'event'; name: Name; detail: Events[Name] };
}[EventName];

export type FrameMessage =
  | { cadre: 'ready'; title: string; side: Side }
  | { cadre: 'layout'; shape: Shape; width: number; height: number }
  | { cadre: 'memory'; memory: string | null }
  | { cadre: 'session'; session: string }
  | { cadre: 'identified'; id: number; userId: string }
  | { cadre: 'unidentified'; id: number; reason: string }
  | FrameEvent;

const hostMessages: readonly unknown[] = ['hello', 'screen', 'open', 'close', 'reset', 'identify'];
const typeOf = (data: unknown): unknown => (data as { cadre?: unknown } | null)?.cadre;

export const isHostMessage = (data: unknown): data is HostMessage => hostMessages.includes(typeOf(data));
