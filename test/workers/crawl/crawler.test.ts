import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { crawlPage } from '../../../workers/crawl/crawl-page.task.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { someone } from '../../support/someone.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { crawledSite, crawlerOf, DOCS, echoThreads, ending, noThreads } from './local-site.js';

t.test('a page is fetched, extracted, and described', async (t) => {
  const { site, crawler } = await crawledSite(t);
  site.serve('/guide?a=b', 'Hello', {
    'content-type': 'text/html; charset="UTF-8"',
    'content-language': 'en',
    etag: '"v1"',
    'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  });
  const { outcome } = await ending(crawler, { url: `${DOCS}/guide?a=b` });
  t.same(outcome, {
    kind: 'extracted',
    contentHash: 'hash of Hello',
    extraction: {
      title: 'Title',
      text: 'page text/html; charset="UTF-8": Hello',
      chunks: [],
      metadata: {
        words: 1,
        url: `${DOCS}/guide?a=b`,
        finalUrl: `${DOCS}/guide?a=b`,
        status: 200,
        contentType: 'text/html; charset="UTF-8"',
        charset: 'utf-8',
        language: 'en',
        bytes: 5,
        etag: '"v1"',
        lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
      },
    },
  });
  const request = site.seen.at(-1)?.headers;
  t.equal(request?.host, 'docs.acme.com', 'the site sees its own name');
  t.match(request?.['user-agent'], /^CadreBot\//);
  t.same(
    site.seen.map(({ path }) => path),
    ['/robots.txt', '/guide?a=b'],
  );
});

t.test('documents are passed to the file reader', async (t) => {
  const { site, crawler } = await crawledSite(t);
  site.serve('/a', 'PDF', { 'content-type': 'application/pdf' });
  site.serve('/b.docx', 'DOCX', { 'content-type': 'application/octet-stream' });
  const a = await ending(crawler, { url: `${DOCS}/a` });
  t.match(a.outcome, { extraction: { text: 'file a.pdf: PDF' } });
  const b = await ending(crawler, { url: `${DOCS}/b.docx` });
  t.match(b.outcome, { extraction: { text: 'file b.docx: DOCX' } });
});

t.test('rejects unsupported media types by the beginning of the body', async (t) => {
  const { site, crawler } = await crawledSite(t);
  site.on('/image', (_, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).write('endless'.repeat(200)),
  );
  t.match(await ending(crawler, { url: `${DOCS}/image` }), {
    failure: { code: 'CONTENT_TYPE_UNSUPPORTED', verdict: 'give-up', message: /image\/png/ },
  });
  site.on('/empty', (_, response) => response.writeHead(204).end());
  t.equal((await ending(crawler, { url: `${DOCS}/empty` })).code, 'EMPTY_TEXT');
});

t.test('a thread failure fails the page', async (t) => {
  const failure = { code: 'EMPTY_TEXT', message: 'nothing', verdict: 'give-up' } as const;
  const { site, crawler } = await crawledSite(
    t,
    {},
    { threads: echoThreads({ page: async () => ({ ok: false, failure }) }) },
  );
  site.serve('/a', '');
  t.same((await ending(crawler, { url: `${DOCS}/a` })).failure, failure);
});

t.test('error statuses end the attempt with their code', async (t) => {
  const { site, crawler } = await crawledSite(t);
  t.match(await ending(crawler, { url: `${DOCS}/none` }), {
    failure: { code: 'HTTP_NOT_FOUND', message: /HTTP 404/ },
  });
  site.serve('/busy', '', { 'retry-after': '7' }, 429);
  t.match(await ending(crawler, { url: `${DOCS}/busy` }), {
    failure: { code: 'HTTP_BUSY', verdict: 'retry', retryAfterMs: 7000 },
  });
  site.serve('/down', '', {}, 500);
  t.match(await ending(crawler, { url: `${DOCS}/down` }), {
    failure: { code: 'HTTP_SERVER_ERROR', verdict: 'retry' },
  });
});

t.test('follows redirects up to a limit', async (t) => {
  const { site, crawler } = await crawledSite(t, { maxRedirects: 2 });
  site.serve('/0', '', { location: '/1' }, 301);
  site.serve('/1', '', { location: `${DOCS}./2#part` }, 308);
  site.serve('/2', 'here', { 'content-type': 'text/plain', etag: '"v2"' });
  const { outcome } = await ending(crawler, { url: `${DOCS}/0` });
  t.match(outcome, { extraction: { metadata: { url: `${DOCS}/0`, finalUrl: `${DOCS}/2`, etag: '"v2"' } } });
  site.serve('/start', '', { location: '/0' }, 302);
  t.equal((await ending(crawler, { url: `${DOCS}/start` })).code, 'TOO_MANY_REDIRECTS');
  site.serve('/loop', '', { location: '/loop' }, 302);
  t.equal((await ending(crawler, { url: `${DOCS}/loop` })).code, 'TOO_MANY_REDIRECTS');
  site.serve('/nowhere', '', {}, 302);
  t.match(await ending(crawler, { url: `${DOCS}/nowhere` }), {
    failure: { code: 'FETCH_FAILED', verdict: 'give-up' },
  });
  site.serve('/nonsense', '', { location: 'http://[' }, 302);
  t.match(await ending(crawler, { url: `${DOCS}/nonsense` }), {
    failure: { code: 'FETCH_FAILED', verdict: 'give-up' },
  });
});

t.test('rejects a redirect to a URL of more than 4,096 characters', async (t) => {
  const { site, crawler } = await crawledSite(t);
  const long = (length: number) => `/${'x'.repeat(length - DOCS.length - 1)}`;
  for (const length of [4096, 4097]) {
    site.serve(long(length), 'There');
    site.serve(`/to${length}`, '', { location: DOCS + long(length) }, 302);
  }
  t.equal((await ending(crawler, { url: `${DOCS}/to4096` })).code, 'extracted');
  t.match(await ending(crawler, { url: `${DOCS}/to4097` }), {
    failure: { code: 'FETCH_FAILED', verdict: 'give-up', message: /4,096 characters/ },
  });
  t.equal(site.visits(long(4097)), 0);
});

t.test('never connects to private addresses, submitted, by redirect or by name', async (t) => {
  const secret = await scriptedSite();
  t.teardown(() => secret.close());
  secret.serve('/', 'secret');
  const questions: string[] = [];
  const network = {
    resolve: async (hostname: string) => {
      questions.push(hostname);
      return [{ address: '127.0.0.1', family: 4 }];
    },
    isPublic: (address: string) => address !== '127.0.0.1',
  };
  const { site, crawler } = await crawledSite(t, {}, { network });
  const targets = [
    secret.origin,
    `http://2130706433:${secret.port}`,
    `http://[::ffff:7f00:1]:${secret.port}`,
    `http://localhost:${secret.port}`,
    `http://user@a.example:${secret.port}`,
    `http://inside.example:${secret.port}`,
    'file:///etc/passwd',
  ];
  for (const [index, target] of targets.entries()) {
    site.serve(`/to${index}`, '', { location: `${target}/` }, 302);
    const redirected = await ending(crawler, { url: `${DOCS}/to${index}` });
    t.equal(redirected.code, 'ADDRESS_REFUSED', `redirect to ${target}`);
    const submitted = await ending(crawler, { url: `${target}/` });
    t.equal(submitted.code, 'ADDRESS_REFUSED', target);
  }
  t.equal(secret.seen.length, 0, 'no request arrived, not even for robots.txt');
  t.same(new Set(questions), new Set(['inside.example']), 'literals and refused names are not looked up');
});

t.test('crawl.resolve does not bypass the URL rules', async (t) => {
  const site = await scriptedSite();
  const crawler = crawlerOf({
    resolve: { 'http://localhost:9000': site.origin, [site.origin]: site.origin },
  });
  t.teardown(async () => {
    await crawler.close();
    await site.close();
  });
  t.equal((await ending(crawler, { url: 'http://localhost:9000/' })).code, 'ADDRESS_REFUSED');
  t.equal((await ending(crawler, { url: `${site.origin}/` })).code, 'ADDRESS_REFUSED');
  t.equal(site.seen.length, 0);
});

t.test('an unresolvable name is retried', async (t) => {
  const { crawler } = await crawledSite(t);
  t.match(await ending(crawler, { url: 'https://no.example/' }), {
    failure: { code: 'DNS_FAILED', verdict: 'retry' },
  });
});

t.test('one timeout covers the whole fetch', async (t) => {
  const { site, crawler } = await crawledSite(t, { timeoutMs: 500, maxRedirects: 1000 });
  const timeout = { failure: { code: 'FETCH_TIMEOUT', verdict: 'retry' } };
  site.on('/silent', () => {});
  t.match(await ending(crawler, { url: `${DOCS}/silent` }), timeout, 'no answer');
  site.on('/drip', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  });
  t.match(await ending(crawler, { url: `${DOCS}/drip` }), timeout, 'a body that never ends');
  site.on('/around', (_, response) => {
    setTimeout(() => response.writeHead(302, { location: '/around' }).end(), 20);
  });
  t.match(await ending(crawler, { url: `${DOCS}/around` }), timeout, 'redirects, each of them quick');
});

t.test('a cancelled crawl ends with the abort reason', async (t) => {
  const { site, crawler } = await crawledSite(t);
  site.on('/silent', () => {});
  const stop = new AbortController();
  const crawling = crawler.run(crawlPage, { url: `${DOCS}/silent` }, someone, stop.signal);
  await until('a request for /silent', () => site.visits('/silent') === 1);
  stop.abort(new Error('agent deleted'));
  await t.rejects(crawling, { message: 'agent deleted' });
});

t.test('a body above the limit fails, whatever its encoding', async (t) => {
  const { site, crawler } = await crawledSite(t, { maxBytes: 1000 });
  const html = { 'content-type': 'text/html' };
  const tooLarge = { failure: { code: 'BODY_TOO_LARGE', verdict: 'give-up' } };
  site.serve('/fits', 'a'.repeat(1000), html);
  t.equal((await ending(crawler, { url: `${DOCS}/fits` })).code, 'extracted');
  site.on('/declared', (_, response) => {
    response.writeHead(200, { ...html, 'content-length': '1001' }).flushHeaders();
  });
  t.match(await ending(crawler, { url: `${DOCS}/declared` }), tooLarge);
  site.on('/endless', (_, response) => {
    response.writeHead(200, html);
    const more = (): void => {
      while (!response.destroyed && response.write('a'.repeat(500)));
    };
    response.on('drain', more);
    more();
  });
  t.match(await ending(crawler, { url: `${DOCS}/endless` }), tooLarge);
  site.serve('/bomb', gzipSync(Buffer.alloc(800_000)), { ...html, 'content-encoding': 'gzip' });
  t.match(await ending(crawler, { url: `${DOCS}/bomb` }), tooLarge);
  site.serve('/gzip', gzipSync('packed'), { ...html, 'content-encoding': 'gzip' });
  t.match((await ending(crawler, { url: `${DOCS}/gzip` })).outcome, {
    extraction: { text: /packed/, metadata: { bytes: 6 } },
  });
});

t.test('broken connections are retried', async (t) => {
  const { site, crawler } = await crawledSite(t);
  site.on('/cut', (_, response) => response.destroy());
  t.match(await ending(crawler, { url: `${DOCS}/cut` }), {
    failure: { code: 'FETCH_FAILED', verdict: 'retry' },
  });
  site.on('/short', (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100' }).write('half');
    setImmediate(() => request.socket.destroy());
  });
  t.match(await ending(crawler, { url: `${DOCS}/short` }), {
    failure: { code: 'FETCH_FAILED', verdict: 'retry' },
  });
});

t.test('a site without valid TLS is not indexed', async (t) => {
  const plain = createTcpServer((socket) =>
    socket.on('error', () => {}).end('HTTP/1.1 400 no TLS here\r\n\r\n'),
  );
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as AddressInfo;
  const crawler = crawlerOf({ resolve: { [DOCS]: `https://127.0.0.1:${port}` } });
  t.teardown(async () => {
    await crawler.close();
    plain.close();
  });
  t.match(await ending(crawler, { url: `${DOCS}/` }), {
    failure: { code: 'TLS_FAILED', verdict: 'give-up' },
  });
});

t.test('sends validators, so that the site can respond that nothing has changed', async (t) => {
  const { site, crawler } = await crawledSite(t);
  site.on('/a', (request, response) => {
    const same = request.headers['if-none-match'] === '"v1"';
    response
      .writeHead(same ? 304 : 200, { 'content-type': 'text/html', etag: '"v1"' })
      .end(same ? undefined : 'text');
  });
  const known = { etag: '"v1"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' };
  t.same((await ending(crawler, { url: `${DOCS}/a`, known })).outcome, {
    kind: 'unchanged',
    metadata: { url: `${DOCS}/a`, finalUrl: `${DOCS}/a`, status: 304, ...known },
  });
  t.equal(site.seen.at(-1)?.headers['if-modified-since'], known.lastModified);
  t.equal((await ending(crawler, { url: `${DOCS}/a`, known: { etag: '"v0"' } })).code, 'extracted');
  t.equal((await ending(crawler, { url: `${DOCS}/a` })).code, 'extracted');

  site.serve('/moved', '', { location: '/a' }, 302);
  t.equal(
    (await ending(crawler, { url: `${DOCS}/moved`, known })).code,
    'extracted',
    'not for where it leads',
  );
  const beyond = { ...known, url: `${DOCS}/a` };
  t.equal(
    (await ending(crawler, { url: `${DOCS}/moved`, known: beyond })).code,
    'unchanged',
    'behind a redirect, for the URL that they came from',
  );
  site.serve('/moved', '', { location: '/b' }, 302);
  site.serve('/b', 'text', { 'content-type': 'text/html', etag: '"v1"' });
  t.equal((await ending(crawler, { url: `${DOCS}/moved`, known: beyond })).code, 'extracted', 'it moved on');
  t.equal(site.seen.at(-1)?.headers['if-none-match'], undefined);
  site.serve('/wrong', '', {}, 304);
  t.equal((await ending(crawler, { url: `${DOCS}/wrong` })).code, 'FETCH_FAILED', 'unasked');
});

t.test('an unchanged text is recognised by its hash and not sent back', async (t) => {
  const { site, crawler } = await crawledSite(t, {}, { threads: noThreads });
  site.serve('/a', '<p>Some words that are the same.', { 'content-type': 'text/html', etag: '"v1"' });
  site.serve('/b.txt', 'Some words that are the same.', { 'content-type': 'text/plain' });
  const { outcome } = await ending(crawler, { url: `${DOCS}/a` });
  if (outcome?.kind !== 'extracted') throw new Error('not extracted');
  const { contentHash } = outcome;
  for (const [path, validators] of [
    ['/a', { etag: '"v1"' }],
    ['/b.txt', {}],
  ] as const)
    t.same((await ending(crawler, { url: DOCS + path, known: { contentHash, etag: '"v0"' } })).outcome, {
      kind: 'unchanged',
      metadata: { finalUrl: DOCS + path, ...validators },
      contentHash,
    });
  t.match(await ending(crawler, { url: `${DOCS}/a`, known: { contentHash: 'another' } }), {
    outcome: { kind: 'extracted', contentHash },
  });
  site.on('/a', (_, response) => response.writeHead(304).end());
  t.match(
    await ending(crawler, { url: `${DOCS}/a`, known: { contentHash, etag: '"v1"' } }),
    { outcome: { kind: 'unchanged', contentHash } },
    'a 304 says of which content',
  );
});

t.test('a closed crawler accepts no work', async (t) => {
  const { crawler } = await crawledSite(t);
  await crawler.close();
  t.equal((await ending(crawler, { url: `${DOCS}/` })).outcome, null);
});

const html = { 'content-type': 'text/html; charset=utf-8' };
const finalUrl = (path: string) => ({ outcome: { extraction: { metadata: { finalUrl: DOCS + path } } } });

t.test('follows the redirect in a page', async (t) => {
  const { site, crawler } = await crawledSite(t, { maxRedirects: 2 }, { threads: noThreads });
  const stub = (refresh: string) =>
    `<!doctype html><title>Moved</title><meta http-equiv="Refresh" content="${refresh}"><p>Go on by hand if you like.`;
  site.page('/new', 'The ferry leaves at nine.');
  for (const [at, refresh] of ['0; url=/new', "0;URL='new'", '5, /new', `0;url=${DOCS}/new`].entries()) {
    site.serve(`/old${at}`, stub(refresh), html);
    t.match(await ending(crawler, { url: `${DOCS}/old${at}` }), finalUrl('/new'), refresh);
  }
  site.serve('/header', 'Moved.', { ...html, refresh: '0; url=/new' });
  t.match(await ending(crawler, { url: `${DOCS}/header` }), finalUrl('/new'));
  site.serve('/based', `<base href="/deep/">${stub('0; url=../new')}`, html);
  t.match(await ending(crawler, { url: `${DOCS}/based` }), finalUrl('/new'));

  for (const [name, page] of Object.entries({
    itself: stub('0; url=/itself'),
    reload: stub('3'),
    slow: stub('60; url=/new'),
    script: stub('0; url=javascript:go()'),
    noscript: `<p>The crane lifts nine tons.<noscript><meta http-equiv=refresh content="0; url=/new"></noscript>`,
    comment: `<p>The crane lifts nine tons.<!-- <meta http-equiv=refresh content="0; url=/new"> -->`,
  })) {
    site.serve(`/${name}`, page, html);
    t.match(await ending(crawler, { url: `${DOCS}/${name}` }), finalUrl(`/${name}`), name);
  }

  site.serve('/there', stub('0; url=/back'), html);
  site.serve('/back', stub('0; url=/there'), html);
  t.equal((await ending(crawler, { url: `${DOCS}/there` })).code, 'TOO_MANY_REDIRECTS');
  site.serve('/inside', stub('0; url=http://127.0.0.1/'), html);
  t.equal((await ending(crawler, { url: `${DOCS}/inside` })).code, 'ADDRESS_REFUSED');
  site.serve('/robots.txt', 'User-agent: *\nDisallow: /closed');
  site.serve('/to-closed', stub('0; url=https://docs.acme.com/closed'), html);
  const { crawler: later } = await crawledSite(
    t,
    { resolve: { [DOCS]: site.origin } },
    { threads: noThreads },
  );
  t.equal((await ending(later, { url: `${DOCS}/to-closed` })).code, 'ROBOTS_DISALLOWED');
});

t.test('returns a cookie to the site that redirects until it comes back', async (t) => {
  const { site, crawler } = await crawledSite(t);
  const other = await scriptedSite();
  t.teardown(() => other.close());
  site.on('/gate', ({ headers }, response) => {
    if (headers.cookie === 'seen=1; lang=en') response.writeHead(200, html).end('Behind the gate.');
    else response.writeHead(302, { location: '/gate', 'set-cookie': ['seen=1; Path=/', 'lang=en'] }).end();
  });
  t.match(await ending(crawler, { url: `${DOCS}/gate` }), { outcome: { extraction: { text: /Behind/ } } });
  t.equal(site.visits('/gate'), 2);
  t.match(await ending(crawler, { url: `${DOCS}/gate` }), { outcome: { extraction: { text: /Behind/ } } });
  t.equal(site.visits('/gate'), 4, 'no cookie is kept for the next fetch');

  site.on('/wait', ({ headers }, response) => {
    response.writeHead(200, { ...html, 'set-cookie': 'ready=yes' });
    response.end(headers.cookie ? 'Ready.' : '<meta http-equiv="refresh" content="1; url=/wait">Wait.');
  });
  const { crawler: reading } = await crawledSite(
    t,
    { resolve: { [DOCS]: site.origin, 'https://other.acme.com': other.origin } },
    { threads: noThreads },
  );
  t.match(await ending(reading, { url: `${DOCS}/wait` }), { outcome: { extraction: { text: 'Ready.' } } });

  other.serve('/', 'Elsewhere.', html);
  site.serve('/away', '', { location: 'https://other.acme.com/', 'set-cookie': 'secret=1' }, 302);
  t.equal((await ending(reading, { url: `${DOCS}/away` })).code, 'extracted');
  t.equal(other.seen.at(-1)?.headers.cookie, undefined, 'another site does not get it');
});

t.test('follows a redirect to a URL with raw bytes', async (t) => {
  const { site, crawler } = await crawledSite(t);
  site.serve('/m%C3%B6wen/k%C3%BCste', 'Gulls.', html);
  const utf8 = Buffer.from('/möwen/küste', 'utf8').toString('latin1');
  site.serve('/raw', '', { location: utf8 }, 301);
  t.match(await ending(crawler, { url: `${DOCS}/raw` }), finalUrl('/m%C3%B6wen/k%C3%BCste'));
  site.serve('/m%F6we', 'A gull.', html);
  site.serve('/latin', '', { location: '/m\u00f6we' }, 301);
  t.match(await ending(crawler, { url: `${DOCS}/latin` }), finalUrl('/m%F6we'));
});

t.test('reads a response by its bytes if its headers do not fit', async (t) => {
  const { site, crawler } = await crawledSite(t, {}, { threads: noThreads });
  const page =
    '<!doctype html><html lang="en"><title>Kiosk</title><p>The kiosk sells maps of the lake.</p></html>';
  site.on('/untyped', (_, response) => response.end(page));
  site.on('/twice', (_, response) => {
    response.setHeader('content-type', ['text/html', 'text/html; charset=utf-8']);
    response.end(page);
  });
  site.serve('/odd', page, { 'content-type': 'html' });
  site.serve('/packed', gzipSync(page), html);
  for (const path of ['/untyped', '/twice', '/odd', '/packed'])
    t.match(
      await ending(crawler, { url: DOCS + path }),
      { outcome: { extraction: { title: 'Kiosk', text: /sells maps/ } } },
      path,
    );
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  site.serve('/picture', picture, { 'content-type': 'text/plain' });
  t.match(await ending(crawler, { url: `${DOCS}/picture` }), {
    failure: { code: 'CONTENT_TYPE_UNSUPPORTED', verdict: 'give-up', message: /binary data/ },
  });
});
