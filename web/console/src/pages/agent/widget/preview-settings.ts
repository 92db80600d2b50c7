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
  frameSettingsOf({ id, name, settings: designPatch(values), entitlements: { features } }, 'preview');
