import { isDomainExpression } from '../../../../../../core/knowledge/urls/domain-expression.js';
import { withoutPath } from '../../../../../../core/visitors/domains.js';

export interface DomainNote {
  expression: string;
  note: string;
}

/** Returns notes on rules of `frame-ancestors` that are easily missed. `isSecure`: the widget is loaded over https. */
export const notesOnDomains = (expressions: readonly string[], isSecure: boolean): DomainNote[] => {
  const known = expressions.map((expression) => expression.trim());
  return known.flatMap((expression) =>
    notesOn(expression, known, isSecure).map((note) => ({ expression, note })),
  );
};

function notesOn(expression: string, known: readonly string[], isSecure: boolean): string[] {
  if (!isDomainExpression(expression))
    return ['is not valid. Use for example https://acme.com, *.acme.com or localhost:*.'];
  const [, scheme, host = '', port] = /^(https?:\/\/)?([^/:]+)(:[^/]+)?/i.exec(expression) ?? [];
  const without = withoutPath(expression);
  const apex = host.replace(/^\*\./, '');
  const hosts = known.map((other) => other.replace(/^https?:\/\//i, '').replace(/[/:].*/, ''));
  const notes = [
    without !== expression.toLowerCase() && `the path has no effect: all pages of ${without} may embed.`,
    apex !== host && !hosts.includes(apex) && `does not include ${apex} itself. Add it if it also embeds.`,
    isLocal(host) &&
      port === undefined &&
      `only the default port matches. Use ${host}:* for a development server.`,
    scheme === undefined &&
      isSecure &&
      isLocal(host) &&
      `pages over http do not match. Use http://${host}:*.`,
    scheme === undefined && isSecure && !isLocal(host) && 'only https pages match.',
  ];
  return notes.filter((note) => note !== false);
}

const isLocal = (host: string): boolean => host === 'localhost' || /^127\./.test(host);
