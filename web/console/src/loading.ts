import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from './api/failure.js';
import { FAULT_MS, page } from './api/request.js';
import type { Page } from './api/types.js';

export interface Loaded<T> {
  /** The last loaded value, kept while it is reloaded. */
  data: T | null;
  failure: Failure | null;
  reload: () => void;
  /** Replaces the value, for example with the response to a change. */
  show: (data: T) => void;
}

/** Loads a value, and reloads it when an item of `about` changes. Aborts outdated loads. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, about: unknown[]): Loaded<T> {
  const [data, show] = useState<T | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  // Send the request before the browser paints, because painting takes a slow device longer than the request.
  useLayoutEffect(() => {
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

/** Reloads what is shown after a pause in milliseconds; null: not any more. Ends if it is refused for good. */
export function usePolling(
  { failure, reload }: Pick<Loaded<unknown>, 'failure' | 'reload'>,
  shown: unknown,
  pauseMs: number | null,
): void {
  useEffect(() => {
    if (pauseMs === null || failure?.mayRetry === false) return;
    const timer = setTimeout(reload, failure ? FAULT_MS : pauseMs);
    return () => clearTimeout(timer);
  }, [shown, failure, pauseMs]);
}

/** Pause before a typed text is used, in milliseconds. */
const TYPING_MS = 250;

/** Returns a text once it has not changed for a moment, so that not every key sends a request. */
export function useDelayed(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export interface Listed<T> extends Omit<Loaded<Page<T>>, 'data' | 'show'> {
  /** Null until the first page is loaded. */
  items: T[] | null;
  total: number;
  /** Loads the next page; null on the last one. */
  more: (() => void) | null;
  /** True while all further pages are being loaded. */
  isLoadingAll: boolean;
}

/** Maximum number of items to load if all pages are wanted. */
const MAX_LOADED = 2000;

/** Loads a paginated list of the API. With `isWhole`, loads all pages, up to MAX_LOADED items. */
export function useList<T>(path: string, query: Record<string, string> = {}, isWhole = false): Listed<T> {
  const about = `${path} ${JSON.stringify(query)}`;
  const first = useLoaded(async (signal) => ({ about, page: await page<T>(path, query, signal) }), [about]);
  const start = first.data?.page ?? null;
  const [later, setLater] = useState<{ of: Page<T>; pages: Page<T>[]; failure: Failure | null } | null>(null);
  const pages = later && later.of === start ? later.pages : [];
  const last = pages.at(-1) ?? start;
  const cursor = last?.pagination.cursor ?? null;
  const items = start && [start, ...pages].flatMap(({ data }) => data);
  const failure = first.failure ?? (later && later.of === start ? later.failure : null);
  // A cursor belongs to one query, and the list of the last query is shown while the next one loads.
  const more =
    start && cursor && first.data?.about === about
      ? () =>
          void page<T>(path, { ...query, cursor }, new AbortController().signal).then(
            (next) => setLater({ of: start, pages: [...pages, next], failure: null }),
            (thrown: unknown) => setLater({ of: start, pages, failure: asFailure(thrown) }),
          )
      : null;
  const isLoadingAll = isWhole && more !== null && !failure && (items?.length ?? 0) < MAX_LOADED;
  useEffect(() => {
    if (isLoadingAll) more?.();
  }, [isLoadingAll, start, pages.length]);
  return { items, total: last?.pagination.total ?? 0, failure, reload: first.reload, more, isLoadingAll };
}

export interface Action {
  busy: boolean;
  failure: Failure | null;
  /** Runs the work, unless other work is running. Resolves to true if it succeeded. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Runs one action of the user at a time and stores its failure. */
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
