import type { Context, Next } from 'koa';
import { isPicturePath, PICTURES } from '../../agent-settings/picture-fields.js';
import { existing } from '../../errors/api-error.js';
import type { Storage } from '../../ports/storage.port.js';
import type { Pictures } from '../../ports/store/agents/pictures.js';
import type { Admission } from '../limits/admission.js';
import { cspOf, IMMUTABLE, type PageFiles, pageHeaders, strictPolicy, typeOf } from '../pages/web-page.js';
import { createPictureResponse } from '../pictures/send-picture.js';
import { staticResponse } from '../pipeline/static-response.js';
import { createFramePage } from './frame-page.js';
import { issueVisitorToken, type TokenIssuing } from './issue-visitor-token.js';
import { sendMissing } from './missing-page.js';

const LOADER = '/widget.js';
const WIDGET = '/widget';
const PREVIEW = `${WIDGET}/preview`;
const ASSETS = 'assets/';
/** Pages of shared agents. */
const CHAT = '/chat';

/** How long browsers cache the loader, in seconds. */
const LOADER_S = 300;

export interface WidgetOptions {
  files: PageFiles;
  /** Origin from which sites load the widget, if it is not that of the API. */
  publicUrl: string | null;
  pictures: Pick<Pictures, 'find'>;
  storage: Pick<Storage, 'get'>;
  /** Tokens of visitors. */
  issuing: TokenIssuing;
}

/** Returns whether the path belongs to the widget. */
export const isWidgetPath = (path: string): boolean =>
  path === LOADER || path.startsWith(`${WIDGET}/`) || path.startsWith(`${CHAT}/`);

/** Serves the loader, the page of an agent's widget, its assets, tokens for visitors, and the preview of the console. */
export function serveWidget(
  { files, issuing, pictures, storage }: WidgetOptions,
  { admitUnknown }: Pick<Admission, 'admitUnknown'>,
) {
  const fixed = fixedResponses(files);
  const page = files.get('page.html');
  const sendPage = page && createFramePage(page, () => issuing.clock.now());
  const sendPicture = createPictureResponse(pictures, storage);
  const { openAgents, addresses } = issuing;

  async function serve(ctx: Context, next: Next): Promise<void> {
    const send = fixed.get(ctx.path);
    if (send) return send(ctx);
    if (isPicturePath(ctx.path)) return sendPicture(ctx, ctx.path.slice(PICTURES.length), next);
    const [, place, agentId] = /^\/(widget|chat)\/([^/]+)$/.exec(ctx.path) ?? [];
    if (agentId === undefined || !sendPage) return next();
    const isWhole = place === 'chat';
    // The frame's page is served in frames only. Otherwise any site could link to it, regardless of the allowed domains.
    const isOpened = isWhole || ctx.get('sec-fetch-dest') === 'document';
    const agent = await openAgents.find(agentId);
    if (isOpened && !agent?.isShared) return sendMissing(ctx);
    const found = existing(agent, 'AGENT_NOT_FOUND');
    if (isOpened && !isWhole) {
      ctx.status = 303;
      return ctx.redirect(`${CHAT}/${found.id}`);
    }
    const { scheme } = addresses.ownAddress(ctx.req);
    return sendPage(ctx, found, { isWhole, own: scheme, connect: addresses.connectSources(ctx.req) });
  }

  return async (ctx: Context, next: Next): Promise<void> => {
    if (!isWidgetPath(ctx.path)) return next();
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return serve(ctx, next);
    const [, agentId] = /^\/widget\/([^/]+)\/visitor$/.exec(ctx.path) ?? [];
    if (ctx.method !== 'POST' || agentId === undefined) return next();
    const own = addresses.ownAddress(ctx.req);
    return admitUnknown(ctx, 'visitors', (permit) =>
      issueVisitorToken(ctx, { agentId, own, permit }, issuing),
    );
  };
}

/** Responses that do not depend on an agent, by path. */
function fixedResponses(files: PageFiles): Map<string, (ctx: Context) => Promise<void>> {
  const responses = new Map<string, (ctx: Context) => Promise<void>>();
  const add = (path: string, name: string, caching: string, headers: Record<string, string>): void => {
    const bytes = files.get(name);
    if (!bytes) return;
    const send = staticResponse(() => bytes, { type: typeOf(name), caching });
    responses.set(path, (ctx) => {
      ctx.set({ 'x-content-type-options': 'nosniff', ...headers });
      return send(ctx);
    });
  };
  add(LOADER, 'widget.js', `public, max-age=${LOADER_S}`, {
    'cross-origin-resource-policy': 'cross-origin',
    // For script elements with the attribute `crossorigin`.
    'access-control-allow-origin': '*',
  });
  add(PREVIEW, 'preview.html', 'no-cache', { ...pageHeaders, 'content-security-policy': previewPolicy });
  // The preview is sandboxed, so its requests for its own assets are cross-origin.
  for (const name of files.keys())
    if (name.startsWith(ASSETS))
      add(`${WIDGET}/${name}`, name, IMMUTABLE, { 'access-control-allow-origin': '*' });
  return responses;
}

/** Policy of the preview. It allows pictures of every origin, because their URLs are not saved yet. */
const previewPolicy = cspOf({
  ...strictPolicy,
  'img-src': "'self' https:",
  'connect-src': "'none'",
  'frame-ancestors': "'self'",
});
