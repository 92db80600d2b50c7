import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PanelProps, RenderPanel } from '../widget.js';
import { Chat } from './chat.js';
import { createChatService } from './chat-service.js';
import { visitorRequests } from './visitor-requests.js';

/** Renders the panel with the conversation of the visitor. */
export const renderVisitorPanel: RenderPanel = (into, props) =>
  render(<VisitorPanel key={props.generation} {...props} />, into);

function VisitorPanel(props: PanelProps) {
  const { settings, visitor, send } = props;
  const service = useMemo(() => createChatService(visitorRequests(settings.agentId, visitor)), [visitor]);
  return <Chat {...props} service={service} takesFocus report={send} />;
}
