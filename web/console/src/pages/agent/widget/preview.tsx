import { useEffect, useRef, useState } from 'preact/hooks';
import type { DesignBody } from '../../../../../../core/agent-settings/design-body.js';
import { designPatch } from '../../../../../../core/agent-settings/design-patch.js';
import { frameSettingsOf } from '../../../../../../core/http/widget/frame-settings.js';
import type { FrameSettings } from '../../../../../../core/http/widget/frame-settings.schema.js';
import type { Agent, Workspace } from '../../../api/types.js';

/** Returns what the widget would show if these values were saved. */
export const previewSettings = (
  { id, name }: Pick<Agent, 'id' | 'name'>,
  values: DesignBody,
  features: Pick<Workspace['features'], 'removeBranding'>,
): FrameSettings =>
  frameSettingsOf(
    { id, name, settings: designPatch(values), entitlements: { features } },
    'preview',
    Date.now(),
  );

/**
 * Shows the widget with unsaved settings. The frame is sandboxed, so that it shares no storage with the console. Its
 * origin is therefore opaque.
 */
export function Preview({ settings }: { settings: FrameSettings }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const json = JSON.stringify(settings);
  useEffect(() => {
    const receive = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && data?.cadre === 'preview-ready') setReady(true);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, []);
  useEffect(() => {
    // An opaque origin can only be addressed as `*`. The settings are not secret.
    if (isReady) frame.current?.contentWindow?.postMessage({ cadre: 'settings', settings }, '*');
  }, [isReady, json]);
  return (
    <div class="preview">
      <iframe ref={frame} src="/widget/preview" sandbox="allow-scripts" title="Preview of the widget" />
      <p class="hint">A preview of these values, before they are saved. The conversation is an example.</p>
    </div>
  );
}
