import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import { Chat } from '../page/chat/chat.js';
import type { PanelProps, RenderPanel } from '../page/widget.js';
import { createScriptedService } from './scripted-service.js';

/** Renders the panel. Restarts it when the initial messages change. */
export const renderPreviewPanel: RenderPanel = (into, props) => {
  const { settings, strings } = props;
  const start = JSON.stringify([settings.initialMessages, settings.defaultPrompts, strings.locale]);
  render(<PreviewPanel key={start} {...props} />, into);
};

/** Plays the conversation, unless there are suggestions to click. */
function PreviewPanel(props: PanelProps) {
  const { settings, strings, send } = props;
  const service = useMemo(() => createScriptedService(strings, settings.title), [strings, settings.title]);
  const isPlayed = settings.defaultPrompts.length === 0;
  const question = isPlayed ? { firstMessage: strings.text('previewQuestion') } : {};
  return <Chat {...props} {...question} service={service} takesFocus={false} report={send} />;
}
