import type { ComponentChildren } from 'preact';
import { designPatch } from '../../../../../../core/agent-settings/design-patch.js';
import { canonicalLocale } from '../../../../../../core/locales/canonical-locale.js';
import { reviewedLocales } from '../../../../../client/reviewed-locales.js';
import type { Agent, Workspace } from '../../../api/types.js';
import { languageNames } from '../../../forms/known-values.js';
import type { Entries, Entry } from '../../../forms/values.js';
import type { SettingsPage } from '../settings/layout.js';
import { SettingsGroup } from '../settings-group.js';
import { ColourNote, colourProblems } from './colour-note.js';
import { PictureUpload, uploadedPath } from './picture-upload.js';
import { Preview, previewSettings } from './preview.js';

interface DesignProps {
  agent: Agent;
  workspace: Workspace;
  hasPreview: boolean;
  page: SettingsPage;
  /** Shown above the form. */
  children?: ComponentChildren;
}

const colours = ['primaryColor', 'bubbleColor'] as const;
const pictures = ['bubbleIconUrl', 'profilePictureUrl'] as const;
const text = (entry: Entry): string => (typeof entry === 'string' ? entry.trim() : '');

/** The form for the widget's design, beside a preview of the unsaved values. */
export function Design({ agent, workspace: { features }, hasPreview, page, children }: DesignProps) {
  const beside = (values: Record<string, unknown>) => (
    <Preview settings={previewSettings(agent, designPatch(values), features)}>
      A preview of these values, before they are saved.
    </Preview>
  );
  return (
    <SettingsGroup
      agentId={agent.id}
      page={page}
      check={(entries) =>
        Object.fromEntries(colours.flatMap((name) => colourProblems(name, text(entries[name]))))
      }
      notes={(entries, change) => notesOf(agent.id, entries, change, features)}
      {...(hasPreview ? { beside } : {})}
    >
      {children}
    </SettingsGroup>
  );
}

function notesOf(
  agentId: string,
  entries: Entries,
  change: (name: string, entry: Entry) => void,
  { removeBranding }: Workspace['features'],
): Record<string, ComponentChildren> {
  const used = pictures.map((name) => uploadedPath(text(entries[name])));
  return {
    ...Object.fromEntries(
      colours.map((name) => [
        name,
        <ColourNote
          key={name}
          name={name}
          colour={text(entries[name])}
          usual={text(entries.primaryColor)}
          onPick={(picked) => change(name, picked)}
        />,
      ]),
    ),
    ...Object.fromEntries(
      pictures.map((name) => [
        name,
        <PictureUpload
          key={name}
          agentId={agentId}
          name={name}
          url={text(entries[name])}
          used={used}
          onChange={(url) => change(name, url)}
        />,
      ]),
    ),
    language: <LanguageNote language={text(entries.language)} />,
    ...(removeBranding
      ? {}
      : { hideBranding: <p class="hint">The plan of this workspace does not include hiding it.</p> }),
  };
}

/** Says which texts the widget shows in a language. Empty if no language is set. */
function LanguageNote({ language }: { language: string }) {
  if (language === '')
    return <p class="hint">If not set, each visitor sees the language of their browser.</p>;
  const locale = canonicalLocale(language);
  if (locale === null) return <p class="hint">The widget has no texts in this language.</p>;
  return (
    <p class="hint">
      {languageNames().of(locale)}
      {!reviewedLocales.includes(locale) &&
        '. Its texts were written by a language model, and no speaker has reviewed them yet.'}
    </p>
  );
}
