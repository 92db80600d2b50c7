import type { ComponentChildren } from 'preact';
import { adviceOn, type Failure } from '../api/failure.js';
import { sentenceOf } from '../forms/limits.js';
import { labelOf } from '../forms/words.js';
import type { Listed } from '../loading.js';
import { CopyButton } from './copy-button.js';
import { count, several } from './numbers.js';

/** A failure with advice. Code and request id, for the operator, are collapsed. */
export function Problem({ failure, retry }: { failure: Failure | null; retry?: () => void }) {
  if (!failure) return null;
  const fields = Object.entries(failure.fieldErrors);
  return (
    <div class="notice bad" role="alert">
      {fields.length > 0 ? (
        <ul class="plain">
          {fields.flatMap(([field, problems]) =>
            problems.map((problem) => <li key={field + problem}>{sentenceOf(problem, labelOf(field))}</li>),
          )}
        </ul>
      ) : (
        <p>
          <strong>{failure.message}</strong> {adviceOn(failure)}
        </p>
      )}
      {failure.code && (
        <details class="small">
          <summary>Details for the operator</summary>
          <p>
            <code>{failure.code}</code>
            {failure.requestId && (
              <>
                {' · request '}
                <code>{failure.requestId}</code> <CopyButton text={failure.requestId} what="request id" />
              </>
            )}
          </p>
        </details>
      )}
      {retry && (
        <button type="button" onClick={() => retry()}>
          Try again
        </button>
      )}
    </div>
  );
}

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

/** Faint lines in the place of the text. They appear only if loading takes a while, so that the page does not flicker. */
export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <div class="loading" role="status">
    <span class="unseen">{what}…</span>
    <i />
    <i />
    <i />
  </div>
);

interface UnsearchedProps {
  list: Pick<Listed<unknown>, 'items' | 'total' | 'more' | 'isLoadingAll'>;
  /** Noun for an item. */
  what: string;
}

/** Says that a filter does not yet cover the whole list. */
export const Unsearched = ({ list: { items, total, more, isLoadingAll }, what }: UnsearchedProps) =>
  more && (
    <p class="muted small" role="status">
      {isLoadingAll
        ? `Searched ${count(items?.length ?? 0)} of ${several(total, what)} so far…`
        : `Only the first ${count(items?.length ?? 0)} of ${several(total, what)} were searched. Show more to search further.`}
    </p>
  );

export const More = ({ more }: { more: (() => void) | null }) =>
  more && (
    <p class="more">
      <button type="button" onClick={more}>
        Show more
      </button>
    </p>
  );
