/** Optional parts of the service behind this page. */
export interface Surroundings {
  /** Uploads go through this service, to the origin of this page. */
  uploadsHere: boolean;
  /** There is an API reference at `/docs`. */
  hasReference: boolean;
  /** The service can connect agents to a social platform. */
  hasChannel: boolean;
  /** Public origin of the service, if configured. */
  publicUrl: string | null;
  /** The widget, and its origin if it has its own. Null if disabled. */
  widget: { publicUrl: string | null } | null;
  /** Interval between automatic updates of an agent's pages. */
  retrainSeconds: number;
}

let loading: Promise<Surroundings> | null = null;

/** Loads them once; again after a failure. */
export function surroundings(): Promise<Surroundings> {
  loading ??= fetch('/console/settings.json').then((response) => response.json() as Promise<Surroundings>);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/**
 * Whether keys may outlive the tab. Browser storage may be shared with pages of the widget, which sites embed, unless
 * the widget has an origin of its own.
 */
export const canStaySignedIn = ({ widget }: Surroundings): boolean =>
  widget === null || (widget.publicUrl !== null && widget.publicUrl !== location.origin);

/** Origin from which sites load the widget. */
export const widgetOrigin = ({ publicUrl, widget }: Surroundings): string =>
  widget?.publicUrl ?? publicUrl ?? location.origin;
