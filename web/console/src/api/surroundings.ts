/** Optional parts of the service that serves this page. */
export interface Surroundings {
  /** True if uploads go through this service, at this page's origin. */
  uploadsHere: boolean;
  /** True if there is an API reference at `/docs`. */
  hasReference: boolean;
  /** True if the service can connect agents to a social platform. */
  hasChannel: boolean;
  /** Public origin of the service, if configured. */
  publicUrl: string | null;
  /** The widget, and its origin if it has its own. Null if disabled. */
  widget: { publicUrl: string | null } | null;
  /** How people sign in: with a password, and through a provider whose button has this label. */
  signIn: { password: boolean; oidc: { label: string } | null };
  /** Whether links can be mailed, for new passwords and to confirm addresses. */
  mailsLinks: boolean;
  /** Interval between automatic updates of an agent's pages. */
  retrainSeconds: number;
}

let loading: Promise<Surroundings> | null = null;

/** Loads the surroundings once. Tries again after a failure. */
export function surroundings(): Promise<Surroundings> {
  loading ??= fetch('/console/settings.json').then((response) => response.json() as Promise<Surroundings>);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/**
 * Returns whether a key may be stored beyond the tab's lifetime. The widget's pages may share the browser's storage and
 * can be embedded by any site, unless the widget has its own origin.
 */
export const canStaySignedIn = ({ widget }: Surroundings): boolean =>
  widget === null || (widget.publicUrl !== null && widget.publicUrl !== location.origin);

/** Returns the origin from which sites load the widget. */
export const widgetOrigin = ({ publicUrl, widget }: Surroundings): string =>
  widget?.publicUrl ?? publicUrl ?? location.origin;
