import type { Context } from 'koa';
import { cspOf, pageHeaders, typeOf } from '../pages/web-page.js';

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Not found</title>
<h1>There is no chat at this address</h1>
<p>The link may be wrong, or the chat is no longer shared.</p>
</html>
`;

const policy = cspOf({ 'default-src': "'none'", 'frame-ancestors': "'none'" });

/** Sends the page for an agent that is unknown, private or not shared. It is the same for all of them. */
export function sendMissing(ctx: Context): void {
  ctx.status = 404;
  ctx.set({
    ...pageHeaders,
    'content-security-policy': `${policy}; sandbox`,
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  });
  ctx.type = typeOf('.html');
  ctx.body = html;
}
