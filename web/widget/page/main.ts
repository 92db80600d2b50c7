import type { FrameSettings } from '../../../core/http/widget/frame-settings.schema.js';
import { listenToHost } from './host-link.js';
import { loadPanelStyle } from './panel-style.js';
import { createSession } from './session.js';
import { loadStrings } from './strings.js';
import { createVisitor } from './visitor.js';
import { fillPage } from './whole-page.js';
import { createWidget } from './widget.js';

/** The page in the frame, which shows nothing until a loader sends its first message, or a page of its own. */
const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}') as FrameSettings;
const loading = loadStrings(settings.language === null ? navigator.languages : [settings.language]);

const begin: Parameters<typeof listenToHost>[0] = async (
  { memory, screen, session, identity },
  { origin, send },
) => {
  const strings = await loading;
  const visitor = createVisitor({
    agentId: settings.agentId,
    origin,
    memory,
    identity,
    onMemory: (changed) => send({ cadre: 'memory', memory: changed }),
    onIdentityNeeded: () => send({ cadre: 'event', name: 'identity', detail: undefined }),
  });
  const { handle } = createWidget({
    settings,
    strings,
    screen,
    visitor,
    session: createSession(session, (text) => send({ cadre: 'session', session: text })),
    async loadPanel() {
      const [{ renderVisitorPanel }] = await Promise.all([
        import('./chat/visitor-panel.js'),
        loadPanelStyle(),
      ]);
      return renderVisitorPanel;
    },
    send,
  });
  return handle;
};

if (settings.isWhole) void fillPage(settings.agentId, begin);
else listenToHost(begin);
