import type { ComponentChildren } from 'preact';
import { adviceOn, type Failure } from '../api/failure.js';

/** A failure with advice and the request id. */
export function Problem({ failure, retry }: { failure: Failure | null; retry?: () => void }) {
  if (!failure) return null;
  const fields = Object.entries(failure.fieldErrors);
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{failure.message}</strong> {adviceOn(failure)}
      </p>
      {fields.length > 0 && (
        <ul>
          {fields.flatMap(([field, problems]) =>
            problems.map((problem) => (
              <li key={field + problem}>
                {field} {problem}
              </li>
            )),
          )}
        </ul>
      )}
      {failure.code && (
        <p class="small">
          <code>{failure.code}</code>
          {failure.requestId && (
            <>
              {' · request '}
              <code>{failure.requestId}</code>
            </>
          )}
        </p>
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

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <p class="loading" role="status">
    {what}…
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
