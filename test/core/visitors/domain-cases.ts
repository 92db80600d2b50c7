/**
 * Which pages an expression of `allowedDomains` lets in, for the server and for browsers. `own` is the scheme of the
 * widget's page.
 */
export interface DomainCase {
  expression: string;
  origin: string;
  own: 'http' | 'https';
  matches: boolean;
}

const cases = (
  own: DomainCase['own'],
  expression: string,
  origins: Record<'matches' | 'refuses', string[]>,
): DomainCase[] => [
  ...origins.matches.map((origin) => ({ own, expression, origin, matches: true })),
  ...origins.refuses.map((origin) => ({ own, expression, origin, matches: false })),
];

export const domainCases: readonly DomainCase[] = [
  ...cases('https', 'acme.com', {
    matches: ['https://acme.com'],
    refuses: [
      'http://acme.com',
      'https://www.acme.com',
      'https://acme.com:8443',
      'https://acme.com.evil.com',
    ],
  }),
  ...cases('http', 'acme.com', {
    matches: ['http://acme.com', 'https://acme.com'],
    refuses: ['http://acme.com:8080', 'https://acme.com:8443', 'http://evilacme.com'],
  }),
  ...cases('https', 'ACME.com', { matches: ['https://acme.com'], refuses: [] }),
  ...cases('https', '*.acme.com', {
    matches: ['https://docs.acme.com', 'https://a.b.acme.com'],
    refuses: ['https://acme.com', 'https://evilacme.com', 'http://docs.acme.com'],
  }),
  ...cases('https', 'acme.com:8443', {
    matches: ['https://acme.com:8443'],
    refuses: ['https://acme.com', 'http://acme.com:8443'],
  }),
  ...cases('https', 'acme.com:*', {
    matches: ['https://acme.com', 'https://acme.com:8443'],
    refuses: ['http://acme.com:8080', 'https://docs.acme.com:8443'],
  }),
  ...cases('https', '*.acme.com:*', {
    matches: ['https://docs.acme.com:8443'],
    refuses: ['https://acme.com:8443'],
  }),
  ...cases('https', 'https://acme.com', {
    matches: ['https://acme.com'],
    refuses: ['http://acme.com', 'https://acme.com:8443'],
  }),
  ...cases('http', 'http://acme.com', {
    matches: ['http://acme.com', 'https://acme.com'],
    refuses: ['http://acme.com:8080', 'https://acme.com:8443'],
  }),
  ...cases('https', 'http://acme.com', { matches: ['https://acme.com'], refuses: ['https://acme.com:8443'] }),
  ...cases('https', 'http://acme.com:80', {
    matches: ['https://acme.com'],
    refuses: ['https://acme.com:8443'],
  }),
  ...cases('https', 'http://acme.com:8443', { matches: [], refuses: ['https://acme.com:8443'] }),
  ...cases('http', 'http://acme.com:8080', {
    matches: ['http://acme.com:8080'],
    refuses: ['http://acme.com', 'https://acme.com'],
  }),
  ...cases('http', 'http://acme.com:*', {
    matches: ['http://acme.com', 'http://acme.com:8080', 'https://acme.com:8443'],
    refuses: ['http://docs.acme.com:8080'],
  }),
  ...cases('https', 'https://acme.com/docs/', {
    matches: ['https://acme.com'],
    refuses: ['http://acme.com'],
  }),
  ...cases('http', 'localhost', { matches: ['http://localhost'], refuses: ['http://localhost:5173'] }),
  ...cases('http', 'localhost:5173', { matches: ['http://localhost:5173'], refuses: ['http://localhost'] }),
  ...cases('http', 'localhost:*', { matches: ['http://localhost', 'http://localhost:5173'], refuses: [] }),
  ...cases('http', '127.0.0.1', { matches: ['http://127.0.0.1'], refuses: ['http://127.0.0.1:8080'] }),
  ...cases('http', '127.0.0.1:*', { matches: ['http://127.0.0.1:8080'], refuses: ['http://localhost:8080'] }),
  ...cases('https', 'acme.com:443', { matches: ['https://acme.com'], refuses: ['https://acme.com:8443'] }),
  ...cases('https', 'acme.com:80', { matches: [], refuses: ['https://acme.com:8443', 'http://acme.com'] }),
  ...cases('http', '192.168.1.5:8080', { matches: ['http://192.168.1.5:8080'], refuses: [] }),
  ...cases('https', 'acme.com:08443', { matches: ['https://acme.com:8443'], refuses: [] }),
  ...cases('https', 'http://acme.com:443', { matches: [], refuses: ['https://acme.com'] }),
  ...cases('https', 'http://acme.com:*', { matches: ['https://acme.com:8443'], refuses: [] }),
];
