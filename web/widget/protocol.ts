/*
 * Messages between the loader on the host page and the frame. Both sides check origin and source, and ignore all other
 * messages.
 */

/** Facts about the host page that the frame cannot determine. */
export interface Screen {
  /** True if the open panel fills the viewport. */
  full: boolean;
  /** True for a dark colour scheme. Inside the frame, the scheme would depend on the host's styles. */
  dark: boolean;
}

export type HostMessage =
  | {
      cadre: 'hello';
      /** The visitor's state as last sent by the frame. */
      memory: string | null;
      screen: Screen;
      /** The tab's state as last sent by the frame. */
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
  /** The identity has expired, and a new token is needed. */
  identity: undefined;
  error: { code: string };
}
export type EventName = keyof Events;

export const eventNames: readonly EventName[] = ['ready', 'open', 'close', 'message', 'identity', 'error'];

/** Events that the frame reports. The loader adds `ready`. */
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
