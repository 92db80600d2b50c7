import type { FrameMessage, HostMessage } from '../protocol.js';
import type { HostLink } from './host-link.js';

type Hello = Extract<HostMessage, { cadre: 'hello' }>;

/** Storage of this origin, which browsers may block. */
const stored = (storage: () => Storage, key: string) => ({
  read(): string | null {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  },
  write(text: string | null): void {
    try {
      if (text === null) storage().removeItem(key);
      else storage().setItem(key, text);
    } catch {
      // The conversation then ends with the page.
    }
  },
});

/** Shows the open widget as a page of its own, which does what a host page does: it keeps the visitor's state. */
export async function fillPage(
  agentId: string,
  begin: (hello: Hello, link: HostLink) => Promise<(message: HostMessage) => void>,
): Promise<void> {
  const memory = stored(() => localStorage, `cadre-chat-${agentId}`);
  const session = stored(() => sessionStorage, `cadre-chat-${agentId}`);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const screen = () => ({ full: true, dark: dark.matches });
  const send = (message: FrameMessage): void => {
    if (message.cadre === 'memory') memory.write(message.memory);
    else if (message.cadre === 'session') session.write(message.session);
  };
  const hello = { memory: memory.read(), session: session.read(), screen: screen(), identity: null };
  const handle = await begin({ cadre: 'hello', ...hello }, { origin: location.origin, send });
  dark.addEventListener('change', () => handle({ cadre: 'screen', screen: screen() }));
  handle({ cadre: 'open' });
}
