/* Those that goals name, as the tables call them. */
export const FLOOR = 'floor: bare Koa, one prepared statement, no key';
export const STRAIGHT_KOA = 'straight Koa + Sequelize';
export const STRAPI = 'Strapi';
export const BULLMQ = 'BullMQ';
export const LONE_WORKER = 'its worker alone (same queue, no API, no database)';
