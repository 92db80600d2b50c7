import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { frameSettingsOf } from '../../../../../../core/http/widget/frame-settings.js';
import type { FrameSettings } from '../../../../../../core/http/widget/frame-settings.schema.js';
import type { JsonObject } from '../../../../../../core/schemas/json.js';
import type { Agent, Workspace } from '../../../api/types.js';

/** Returns what the widget shows with these settings of its design. */
export const previewSettings = (
  { id, name }: Pick<Agent, 'id' | 'name'>,
  settings: JsonObject,
  features: Pick<Workspace['features'], 'removeBranding'>,
): FrameSettings =>
  frameSettingsOf({ id, name, settings, entitlements: { features } }, 'preview', Date.now());

interface PreviewProps {
  settings: FrameSettings;
  /** Says whose values it shows. */
  children: ComponentChildren;
}

/**
 * Shows the widget with these settings. The frame is sandboxed, so that it shares no storage with the console. Its
 * origin is therefore opaque.
 */
export function Preview({ settings, children }: PreviewProps) {
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
      <p class="hint">{children} The conversation is an example.</p>
    </div>
  );
}
