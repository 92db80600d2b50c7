import { v7 as uuidv7 } from 'uuid';
import { newLink } from '../../core/people/links.js';
import type { Role } from '../../core/schemas/permissions.js';
import type { Answer, ErrorBody } from './api-client.js';
import type { TestService } from './service.js';

/** What signing in answers. */
export interface SignedInBody {
  user: { email: string; name: string; timeZone: string | null };
  workspaces: { id: string; name: string; role: Role }[];
  failedSignIns: number;
}

interface Sent {
  headers?: Record<string, string | undefined>;
}

/** A browser on a page of the console: keeps cookies, and says where its requests come from. */
export interface TestBrowser {
  cookies: Map<string, string>;
  /** Requests with any path. */
  send<T>(method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer<T>>;
  /** POST below `/console/session`. */
  session<T = SignedInBody & ErrorBody>(path: string, body: unknown, sent?: Sent): Promise<Answer<T>>;
  /** Requests of a workspace below `/console/api/v2`. */
  api<T>(workspaceId: string, method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer<T>>;
}

export function testBrowser(baseUrl: string): TestBrowser {
  const cookies = new Map<string, string>();

  async function send<T>(method: string, path: string, body?: unknown, { headers = {} }: Sent = {}) {
    const all: Record<string, string | undefined> = {
      origin: baseUrl,
      'sec-fetch-site': 'same-origin',
      ...(cookies.size > 0
        ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
        : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const response = await fetch(baseUrl + path, {
      method,
      headers: Object.entries(all).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ) as [string, string][],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text === '' ? null : JSON.parse(text)) as T,
    };
  }

  return {
    cookies,
    send,
    session: (path, body, sent) => send('POST', `/console/session${path}`, body, sent),
    api: (workspaceId, method, path, body, { headers } = {}) =>
      send(method, `/console/api/v2${path}`, body, {
        headers: { 'cadre-workspace': workspaceId, ...headers },
      }),
  };
}

export const testPassword = 'a long enough phrase';

/** Creates the link with which a person becomes the first owner, as the command line does. Returns its token. */
export async function setupToken({ store }: TestService, workspaceId: string): Promise<string> {
  const { link, token } = newLink('setup', Math.floor(Date.now() / 1000) + 3600, { workspaceId });
  await store.people.users.addLink(link);
  return token;
}

export interface Owner {
  browser: TestBrowser;
  workspaceId: string;
  email: string;
  apiKey: string;
}

/** Creates a workspace whose owner is signed in. */
export async function newOwner(service: TestService): Promise<Owner> {
  const { id: workspaceId, apiKey } = await service.workspace();
  const browser = testBrowser(service.baseUrl);
  const email = `${uuidv7()}@acme.example`;
  const token = await setupToken(service, workspaceId);
  const answer = await browser.session('/setup', { token, email, password: testPassword, name: 'Ada' });
  if (answer.status !== 200) throw new Error(`setting up: ${answer.status} ${answer.text}`);
  return { browser, workspaceId, email, apiKey };
}

/** Adds a member by an invitation. Returns the browser of the person and the id of the membership. */
export async function newMember(
  service: TestService,
  { browser: owner, workspaceId }: Owner,
  about: { role: Role; agentIds?: string[] },
): Promise<{ browser: TestBrowser; memberId: string; email: string }> {
  const email = `${uuidv7()}@acme.example`;
  const invited = await owner.api<{ id: string; inviteUrl: string }>(workspaceId, 'POST', '/members', {
    email,
    ...about,
  });
  if (invited.status !== 201) throw new Error(`inviting: ${invited.status} ${invited.text}`);
  const browser = testBrowser(service.baseUrl);
  const token = invited.body.inviteUrl.split('#')[1];
  const accepted = await browser.session('/invitation', { token, password: testPassword, name: about.role });
  if (accepted.status !== 200) throw new Error(`accepting: ${accepted.status} ${accepted.text}`);
  return { browser, memberId: invited.body.id, email };
}
