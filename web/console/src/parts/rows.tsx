import type { ComponentChildren } from 'preact';
import type { Listed } from '../loading.js';
import { Loading, More, Problem } from './notice.js';

interface RowsProps<T> {
  list: Listed<T>;
  /** Shown if the list has no items. */
  empty?: ComponentChildren;
  /** Returns the row of an item. */
  children: (item: T) => ComponentChildren;
}

/** A list from the API with its loading, error and empty states, and a button for the next page. */
export const Rows = <T,>({ list: { items, more, failure, reload }, empty, children }: RowsProps<T>) => (
  <>
    <Problem failure={failure} retry={reload} />
    {!items && !failure && <Loading />}
    {items?.length === 0 && empty}
    <ul class="rows">{items?.map(children)}</ul>
    <More more={more} />
  </>
);
