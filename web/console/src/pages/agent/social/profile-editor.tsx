import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../../../parts/announce.js';
import { Loading, Problem } from '../../../parts/notice.js';
import { may, Permitted } from '../../../parts/permitted.js';
import { Tick } from '../../../parts/tick.js';
import { useUnsaved } from '../../../unsaved.js';
import { type ItemProblem, type Marks, ProfileItem } from './profile-item.js';
import { SyncState } from './sync-state.js';
import type { Profile, ProfileState } from './use-profile.js';

/** Returns a form's ref, and a function that focuses the first match of a selector in it after the next rendering. */
function useFocus(): [form: RefObject<HTMLFormElement | null>, focus: (selector: string) => void] {
  const form = useRef<HTMLFormElement>(null);
  const [target, setTarget] = useState<{ selector: string } | null>(null);
  useLayoutEffect(() => {
    if (target) form.current?.querySelector<HTMLElement>(target.selector)?.focus();
  }, [target]);
  return [form, (selector) => setTarget({ selector })];
}

interface ProfileEditorProps<Draft> {
  title: string;
  about: string;
  state: ProfileState<Profile>;
  /** The last requested items, to edit. */
  stored: Draft[];
  /** Maximum number of items, and the noun for an item. */
  limit: { max: number; item: string };
  empty: Draft;
  /** Returns the item to send, or its problem. */
  check: (draft: Draft) => { item: object } | ItemProblem;
  fields: (draft: Draft, change: (draft: Draft) => void, number: number, marks: Marks) => ComponentChildren;
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
  const [form, focus] = useFocus();
  useUnsaved(edited !== null && !state.busy);
  if (state.loadFailure) return <Problem failure={state.loadFailure} retry={state.reload} />;
  if (!state.profile) return <Loading />;
  const items = edited ?? stored;
  const checked = items.map(check);
  const nameOf = (at: number) => `${limit.item} ${at + 1}`;
  const add = () => {
    setEdited([...items, empty]);
    focus('li:last-child input');
    announce(`${nameOf(items.length)} was added.`);
  };
  const remove = (at: number) => {
    setEdited(items.toSpliced(at, 1));
    const next = Math.min(at, items.length - 2);
    focus(next < 0 ? '.add button' : `[aria-label="Remove ${nameOf(next)}"]`);
    announce(`${nameOf(at)} was removed. ${items.length - 1} of at most ${limit.max}.`);
  };
  const move = (from: number, to: number) => {
    const [item] = items.slice(from, from + 1);
    if (item === undefined) return;
    setEdited(items.toSpliced(from, 1).toSpliced(to, 0, item));
    // The focus follows the item. At the end of the list, only the opposite button is enabled.
    const [button, other] = to < from ? ['up', 'down'] : ['down', 'up'];
    const isAtEnd = to === (to < from ? 0 : items.length - 1);
    focus(`[aria-label="Move ${nameOf(to)} ${isAtEnd ? other : button}"]`);
    announce(`${nameOf(from)} is ${nameOf(to)} now.`);
  };
  const discard = () => {
    setEdited(null);
    setChecked(false);
    focus('input, .add button');
    announce('The changes were discarded.');
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    setChecked(true);
    const good = checked.flatMap((one) => ('item' in one ? [one.item] : []));
    if (good.length < checked.length) return focus('[aria-invalid=true]');
    if (!(await state.publish(good))) return;
    setEdited(null);
    setChecked(false);
  };
  return (
    <div class="beside">
      <section class="panel" aria-labelledby="profile-title">
        <h2 id="profile-title">{title}</h2>
        <p class="about">{about}</p>
        <SyncState {...state} />
        <form ref={form} onSubmit={submit} noValidate>
          <fieldset class="fields" disabled={!may('edit')}>
            <ol class="plain items">
              {items.map((item, at) => {
                const found = isChecked ? checked[at] : undefined;
                return (
                  <li key={at}>
                    <ProfileItem
                      name={nameOf(at)}
                      problem={found && 'problem' in found ? found : null}
                      up={at === 0 ? null : () => move(at, at - 1)}
                      down={at === items.length - 1 ? null : () => move(at, at + 1)}
                      remove={() => remove(at)}
                    >
                      {(marks) =>
                        fields(item, (changed) => setEdited(items.with(at, changed)), at + 1, marks)
                      }
                    </ProfileItem>
                  </li>
                );
              })}
            </ol>
            {items.length === 0 && (
              <p class="muted">None. Publish an empty list to remove what people see.</p>
            )}
            <div class="actions add">
              <button type="button" disabled={items.length >= limit.max} onClick={add}>
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
                  <button type="button" onClick={discard}>
                    Discard
                  </button>
                </>
              )}
              <button type="submit" class="primary" disabled={state.busy || edited === null}>
                Publish
              </button>
            </div>
          </fieldset>
          <Permitted needs="edit" what="changes here" />
        </form>
      </section>
      <aside class="preview" aria-label="Preview">
        <Tick checked={showsLive} onChange={setShowsLive}>
          Show what people see now
        </Tick>
        {preview(showsLive ? live : items)}
      </aside>
    </div>
  );
}
