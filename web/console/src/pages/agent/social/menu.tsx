import { limits } from '../../../../../../core/schemas/limits.js';
import type { PersistentMenu } from '../../../api/types.js';
import { Select } from '../../../parts/select.js';
import { lengthProblem } from './length-problem.js';
import { Phone } from './phone.js';
import { ProfileEditor } from './profile-editor.js';
import type { ItemProblem, Marks } from './profile-item.js';
import { useProfile } from './use-profile.js';

const { menu } = limits.social;

interface Draft {
  title: string;
  kind: 'message' | 'url';
  text: string;
}

const kinds = { message: 'Asks the agent', url: 'Opens a page' } as const;

/** Edits the menu that people can open at any time in a conversation. */
export function Menu({ agentId, username }: { agentId: string; username: string }) {
  const state = useProfile<PersistentMenu>(agentId, 'persistent-menu');
  return (
    <ProfileEditor
      title="Persistent menu"
      about="Entries that a person can open at any time in a conversation. Open conversations may keep an earlier menu for a while. Its entries keep working."
      state={state}
      stored={draftsOf(state.profile?.desired)}
      live={draftsOf(state.profile?.live)}
      limit={{ max: menu.max, item: 'Entry' }}
      empty={{ title: '', kind: 'message', text: '' } as Draft}
      check={itemOf}
      fields={(draft, change, number, marks) => (
        <Fields draft={draft} change={change} number={number} marks={marks} />
      )}
      preview={(drafts) => (
        <Phone username={username}>
          {drafts.length === 0 ? (
            <p class="phone-hint">No menu.</p>
          ) : (
            <ul class="plain phone-menu">
              {drafts.map(({ title, kind }, at) => (
                <li key={`${at}-${title}`}>
                  {title || '…'} {kind === 'url' && <span aria-hidden="true">↗</span>}
                </li>
              ))}
            </ul>
          )}
        </Phone>
      )}
    />
  );
}

const draftsOf = (part: Pick<NonNullable<PersistentMenu['live']>, 'items'> | null | undefined): Draft[] =>
  part?.items.map(({ title, message, url }) =>
    url === undefined ? { title, kind: 'message', text: message ?? '' } : { title, kind: 'url', text: url },
  ) ?? [];

function itemOf({ title, kind, text }: Draft): { item: object } | ItemProblem {
  const problem = lengthProblem('a title', title, menu.title);
  if (problem !== null) return { field: 'title', problem: `Title: ${problem}` };
  if (kind === 'message') {
    const wrong = lengthProblem('a message', text, menu.message);
    return wrong === null
      ? { item: { title: title.trim(), message: text.trim() } }
      : { field: 'text', problem: `Message: ${wrong}` };
  }
  const url = text.trim();
  const wrong = urlProblem(url);
  return wrong === null
    ? { item: { title: title.trim(), url } }
    : { field: 'text', problem: `Page: ${wrong}` };
}

function urlProblem(url: string): string | null {
  if (!/^https:\/\/\S+$/.test(url) || !URL.canParse(url))
    return 'Enter an address that begins with https://, for example https://example.com.';
  return url.length > limits.url.max ? `Use at most ${limits.url.max} characters.` : null;
}

interface FieldsProps {
  draft: Draft;
  change: (draft: Draft) => void;
  number: number;
  marks: Marks;
}

const Fields = ({ draft, change, number, marks }: FieldsProps) => (
  <div class="menu-fields">
    <input
      {...marks('title')}
      aria-label={`Title ${number}`}
      placeholder="Title"
      value={draft.title}
      onInput={(event) => change({ ...draft, title: event.currentTarget.value })}
    />
    <Select
      aria-label={`Action of entry ${number}`}
      value={draft.kind}
      choices={Object.entries(kinds)}
      onChange={(kind) => change({ ...draft, kind: kind === 'url' ? 'url' : 'message' })}
    />
    <input
      {...marks('text')}
      aria-label={draft.kind === 'url' ? `Page ${number}` : `Message ${number}`}
      placeholder={draft.kind === 'url' ? 'https://example.com' : 'What the person asks with a tap'}
      inputMode={draft.kind === 'url' ? 'url' : 'text'}
      value={draft.text}
      onInput={(event) => change({ ...draft, text: event.currentTarget.value })}
    />
  </div>
);
