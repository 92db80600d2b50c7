import { SignJWT } from 'jose';
import type { Answer } from './api-client.js';
import type { TestService } from './service.js';

/** A page that embeds the widget. */
export const HOST = 'https://www.acme.com';

export interface VisitorAnswer {
  token: string;
  expiresAt: number;
  userId: string;
  renewal: string | null;
}

/** Sends `POST /widget/{agentId}/visitor`. */
export async function askForToken<T = VisitorAnswer>(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  agentId: string,
  body: object = {},
): Promise<Answer<T>> {
  const response = await fetch(`${baseUrl}/widget/${agentId}/visitor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ origin: HOST, ...body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** Returns a token; rejects on refusal. */
export async function visitorOf(
  service: Pick<TestService, 'baseUrl'>,
  agentId: string,
  body: object = {},
): Promise<VisitorAnswer> {
  const answer = await askForToken(service, agentId, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

/** Signs a JWT as a customer's server does. */
export const identityJwt = (
  secret: string,
  claims: Record<string, unknown>,
  header: { alg: string } = { alg: 'HS256' },
): Promise<string> => new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(secret));
