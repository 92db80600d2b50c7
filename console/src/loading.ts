import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from './api/failure.js';
import { page } from './api/request.js';
import type { Page } from './api/types.js';

export interface Loaded<T> {
  /** The last loaded value, kept while it is reloaded. */
  data: T | null;
  failure: Failure | null;
  reload: () => void;
  /** Replaces the value with a newer known one. */
  show: (data: T) => void;
}

/** Loads a value, and reloads it when one of `about` changes. Outdated loads are aborted. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, about: unknown[]): Loaded<T> {
  const [data, show] = useState<T | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const gone = new AbortController();
    latest.current(gone.signal).then(
      (loaded) => {
        if (gone.signal.aborted) return;
        setFailure(null);
        show(loaded);
      },
      (thrown: unknown) => {
        if (!gone.signal.aborted) setFailure(asFailure(thrown));
      },
    );
    return () => gone.abort();
  }, [...about, round]);
  return { data, failure, show, reload: useCallback(() => setRound((count) => count + 1), []) };
}

export interface Listed<T> extends Omit<Loaded<Page<T>>, 'data' | 'show'> {
  /** Null until the first page is loaded. */
  items: T[] | null;
  total: number;
  /** Loads the next page; null on the last one. */
  more: (() => void) | null;
}

/** Loads further pages, up to this number of items, while a list is filtered by its own fields. */
const MAX_FILTERED = 2000;

/** Loads the pages of a list that a filter of the page applies to. */
export function useAllPages(
  { items, more }: Pick<Listed<unknown>, 'items' | 'more'>,
  isFiltered: boolean,
): void {
  const loaded = items?.length ?? 0;
  useEffect(() => {
    if (isFiltered && loaded < MAX_FILTERED) more?.();
  }, [isFiltered, loaded]);
}

/** A paginated list of the API. */
export function useList<T>(path: string, query: Record<string, string> = {}): Listed<T> {
  const about = [path, JSON.stringify(query)];
  const first = useLoaded((signal) => page<T>(path, query, signal), about);
  const [later, setLater] = useState<{ of: Page<T>; pages: Page<T>[]; failure: Failure | null } | null>(null);
  const pages = later && later.of === first.data ? later.pages : [];
  const last = pages.at(-1) ?? first.data;
  const cursor = last?.pagination.cursor ?? null;
  const start = first.data;
  return {
    items: start && [start, ...pages].flatMap(({ data }) => data),
    total: last?.pagination.total ?? 0,
    failure: first.failure ?? (later && later.of === start ? later.failure : null),
    reload: first.reload,
    more:
      start && cursor
        ? () =>
            void page<T>(path, { ...query, cursor }, new AbortController().signal).then(
              (next) => setLater({ of: start, pages: [...pages, next], failure: null }),
              (thrown: unknown) => setLater({ of: start, pages, failure: asFailure(thrown) }),
            )
        : null,
  };
}

export interface Action {
  busy: boolean;
  failure: Failure | null;
  /** Runs the work unless some is already running. Resolves to whether it succeeded. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Runs one action of the user at a time and keeps its failure. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const under = useRef(false);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (under.current) return false;
    under.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (thrown) {
      setFailure(asFailure(thrown));
      return false;
    } finally {
      under.current = false;
      setBusy(false);
    }
  }, []);
  return { busy, failure, run };
}
