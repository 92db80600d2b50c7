import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Loading, Problem } from '../../../parts/notice.js';
import { useUnsaved } from '../../../unsaved.js';
import { SyncState } from './sync-state.js';
import type { Profile, ProfileState } from './use-profile.js';

interface ProfileEditorProps<Draft> {
  title: string;
  about: string;
  state: ProfileState<Profile>;
  /** The items as asked for last, to edit. */
  stored: Draft[];
  /** Maximum number of items, and their name. */
  limit: { max: number; item: string };
  empty: Draft;
  /** The item to send, or a sentence about its problem. */
  check: (draft: Draft) => object | string;
  /** The fields of an item. */
  fields: (draft: Draft, change: (draft: Draft) => void, number: number) => ComponentChildren;
  /** The items as people see them. */
  preview: (items: readonly Draft[]) => ComponentChildren;
  /** The items that the platform shows now. */
  live: Draft[];
}

/** Edits a list of items beside a preview, and publishes them. */
export function ProfileEditor<Draft>(props: ProfileEditorProps<Draft>) {
  const { title, about, state, stored, limit, empty, check, fields, preview, live } = props;
  const [edited, setEdited] = useState<Draft[] | null>(null);
  const [isChecked, setChecked] = useState(false);
  const [showsLive, setShowsLive] = useState(false);
  useUnsaved(edited !== null && !state.busy);
  if (state.loadFailure) return <Problem failure={state.loadFailure} retry={state.reload} />;
  if (!state.profile) return <Loading />;
  const items = edited ?? stored;
  const checked = items.map(check);
  const change = (changed: Draft[]) => setEdited(changed);
  const move = (from: number, to: number) => {
    const [item] = items.slice(from, from + 1);
    const others = items.toSpliced(from, 1);
    if (item !== undefined) change(others.toSpliced(to, 0, item));
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    setChecked(true);
    const good = checked.filter((one) => typeof one !== 'string');
    if (good.length < checked.length || !(await state.publish(good))) return;
    setEdited(null);
    setChecked(false);
  };
  return (
    <div class="beside">
      <section class="panel" aria-labelledby="profile-title">
        <h2 id="profile-title">{title}</h2>
        <p class="about">{about}</p>
        <SyncState {...state} />
        <form onSubmit={submit} noValidate>
          <ol class="plain items">
            {items.map((item, at) => {
              const problem = isChecked ? checked[at] : null;
              const name = `${limit.item} ${at + 1}`;
              return (
                <li key={at}>
                  <fieldset class="group">
                    <legend>{name}</legend>
                    {fields(item, (changed) => change(items.with(at, changed)), at + 1)}
                    {typeof problem === 'string' && (
                      <p class="field-problem" role="alert">
                        {problem}
                      </p>
                    )}
                    <div class="item-actions">
                      <button
                        type="button"
                        class="quiet"
                        disabled={at === 0}
                        aria-label={`Move ${name} up`}
                        onClick={() => move(at, at - 1)}
                      >
                        Up
                      </button>
                      <button
                        type="button"
                        class="quiet"
                        disabled={at === items.length - 1}
                        aria-label={`Move ${name} down`}
                        onClick={() => move(at, at + 1)}
                      >
                        Down
                      </button>
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`Remove ${name}`}
                        onClick={() => change(items.toSpliced(at, 1))}
                      >
                        Remove
                      </button>
                    </div>
                  </fieldset>
                </li>
              );
            })}
          </ol>
          {items.length === 0 && <p class="muted">None. Publish an empty list to remove what people see.</p>}
          <div class="actions add">
            <button
              type="button"
              disabled={items.length >= limit.max}
              onClick={() => change([...items, empty])}
            >
              Add
            </button>
            <span class="hint">
              {items.length} of at most {limit.max}
            </span>
          </div>
          <div class={edited ? 'actions unsaved' : 'actions'}>
            {edited && (
              <>
                <span class="muted">Not published yet</span>
                <button type="button" onClick={() => setEdited(null)}>
                  Discard
                </button>
              </>
            )}
            <button type="submit" class="primary" disabled={state.busy || edited === null}>
              Publish
            </button>
          </div>
        </form>
      </section>
      <aside class="preview" aria-label="Preview">
        <label class="tick">
          <input
            type="checkbox"
            checked={showsLive}
            onChange={(event) => setShowsLive(event.currentTarget.checked)}
          />
          Show what people see now
        </label>
        {preview(showsLive ? live : items)}
      </aside>
    </div>
  );
}
