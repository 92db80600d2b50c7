import type { FrameSettings } from '../../../core/http/widget/frame-settings.schema.js';
import { loadPanelStyle } from '../page/panel-style.js';
import { createSession } from '../page/session.js';
import { loadStrings } from '../page/strings.js';
import { createWidget, type Widget } from '../page/widget.js';
import { renderPreviewPanel } from './preview-panel.js';
import { previewVisitor } from './scripted-service.js';

/* Shows the widget with unsaved settings, in a sandboxed frame of the console. It has no agent and no token. */

/** Message of the console with all settings. */
interface PreviewMessage {
  cadre: 'settings';
  settings: FrameSettings;
}

// In the sandbox, the document has no origin, but its address still has one.
const ours = location.origin;
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
let widget: Widget | null = null;
let updates = 0;

addEventListener('message', ({ source, origin, data }: MessageEvent) => {
  const message = data as Partial<PreviewMessage> | null;
  if (source !== parent || origin !== ours || message?.cadre !== 'settings' || !message.settings) return;
  void show(message.settings);
});
parent.postMessage({ cadre: 'preview-ready' }, ours);

async function show(settings: FrameSettings): Promise<void> {
  updates += 1;
  const update = updates;
  const [strings] = await Promise.all([
    loadStrings(settings.language === null ? navigator.languages : [settings.language]),
    loadPanelStyle(),
  ]);
  // Newer settings have arrived in the meantime.
  if (update !== updates) return;
  if (widget) return widget.update(settings, strings);
  widget = createWidget({
    settings,
    strings,
    screen: { full: false, dark: darkScheme.matches },
    visitor: previewVisitor,
    session: createSession(null, () => {}),
    loadPanel: async () => renderPreviewPanel,
    send() {},
  });
  widget.handle({ cadre: 'open' });
}
