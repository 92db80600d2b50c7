/* Contenders that goals name, as the tables show them. */
export const FLOOR = 'floor: bare Koa, one prepared statement, no key';
export const BULLMQ = 'BullMQ';
/** BullMQ with the work of one of Cadre's tasks. */
export const BULLMQ_PAGE = 'BullMQ, fetching and storing the page';
