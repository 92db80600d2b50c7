/* Those that goals name, as the tables call them. */
export const FLOOR = 'floor: bare Koa, one prepared statement, no key';
export const STRAIGHT_KOA = 'straight Koa + Sequelize';
export const STRAPI = 'Strapi';
export const BULLMQ = 'BullMQ';
/** The same queue, with the work of a task of Cadre. */
export const BULLMQ_PAGE = 'BullMQ, fetching and storing the page';
export const LONE_WORKER = 'its worker alone (same queue, no API, no database)';

/** What is also measured beside Strapi, by itself: it gets its own lines, as Cadre is measured there again. */
export const inStrapi: readonly string[] = [
  'GET agent',
  'GET list of 20',
  'PATCH name, many agents',
  'PATCH name, one hot agent',
];
export const besideStrapi = (what: string): string => `${what}, beside Strapi`;
