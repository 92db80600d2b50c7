import type { DesignBody } from '../../agent-settings/design-body.js';
import { handoverSettings } from '../../agent-settings/handover-settings.js';
import { withinHours } from '../../agent-settings/opening-hours.js';
import type { OpenAgent } from '../../visitors/open-agent.js';
import type { FrameSettings } from './frame-settings.schema.js';

/** The parts of an agent's stored settings that the widget shows. */
interface DesignSettings extends Pick<DesignBody, 'title' | 'position'> {
  language?: string;
  branding?: Pick<
    DesignBody,
    'appearance' | 'bubbleColor' | 'primaryColor' | 'primaryColorHeader' | 'hideBranding'
  > & { bubbleIconUrl?: string; profilePictureUrl?: string };
  conversation?: Pick<DesignBody, 'messagePlaceholder' | 'showInitialMessageBubble'> & {
    initialMessages?: string[];
    defaultPrompts?: { enabled?: boolean; prompts?: string[]; keepShowing?: boolean };
  };
}

const appearances = { Light: 'light', Dark: 'dark' } as const;

type ShownAgent = Pick<OpenAgent, 'id' | 'name' | 'settings'> & {
  entitlements: { features: Pick<OpenAgent['entitlements']['features'], 'removeBranding'> };
};

/** Returns the settings of an agent's widget. `build` identifies the build of its page, `at` is the instant in Unix ms. */
export function frameSettingsOf(
  { id, name, settings, entitlements: { features } }: ShownAgent,
  build: string,
  at: number,
): FrameSettings {
  const { title, language, position, branding = {}, conversation = {} } = settings as DesignSettings;
  const { appearance, hideBranding = false } = branding;
  const { defaultPrompts = {} } = conversation;
  const { enabled, offer, waitSeconds, form, showNames, hours } = handoverSettings(settings);
  return {
    agentId: id,
    title: title || name,
    language: language ?? null,
    position: position ?? 'bottom-right',
    appearance: appearance === undefined ? null : appearances[appearance],
    bubbleColor: branding.bubbleColor || null,
    primaryColor: branding.primaryColor || null,
    primaryColorHeader: branding.primaryColorHeader ?? false,
    bubbleIconUrl: branding.bubbleIconUrl ?? null,
    profilePictureUrl: branding.profilePictureUrl ?? null,
    branding: !(hideBranding && features.removeBranding),
    initialMessages: conversation.initialMessages ?? [],
    showInitialMessageBubble: conversation.showInitialMessageBubble ?? false,
    defaultPrompts: defaultPrompts.enabled ? (defaultPrompts.prompts ?? []) : [],
    keepShowingPrompts: defaultPrompts.keepShowing ?? false,
    messagePlaceholder: conversation.messagePlaceholder || null,
    handover: { enabled, offer, waitSeconds, form, open: withinHours(hours, at), showNames },
    isWhole: false,
    build,
  };
}
