import { to } from '../router.js';

/** The way to a page: names with the parts of their addresses. */
export type Crumb = readonly [name: string, ...parts: string[]];

export const Crumbs = ({ crumbs }: { crumbs: readonly Crumb[] }) => (
  <nav class="crumbs" aria-label="Breadcrumb">
    <ol>
      {crumbs.map(([name, ...parts]) => (
        <li key={name}>
          <a href={to(...parts)}>{name}</a>
        </li>
      ))}
    </ol>
  </nav>
);
