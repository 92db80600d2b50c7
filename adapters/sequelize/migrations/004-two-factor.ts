import type { Migration } from './migration.js';

/** TOTP secrets, sealed; recovery codes by hash; failed sign-ins by hour, with an empty `user_id` for unknown addresses. */
export const twoFactor: Migration = {
  name: '004-two-factor',
  up: ({ id, ascii, table }) => [
    `ALTER TABLE users ADD COLUMN totp ${ascii(255)} NULL`,
    `ALTER TABLE users ADD COLUMN offered_totp ${ascii(255)} NULL`,
    'ALTER TABLE users ADD COLUMN totp_step BIGINT NULL',
    `CREATE TABLE recovery_codes (user_id ${id} NOT NULL, hash ${ascii(64)} NOT NULL,
      PRIMARY KEY (user_id, hash)) ${table}`,
    'ALTER TABLE workspaces ADD COLUMN require_two_factor BOOLEAN NOT NULL DEFAULT 0',
    `CREATE TABLE failed_sign_ins (hour BIGINT NOT NULL, user_id ${id} NOT NULL, network ${ascii(64)} NOT NULL,
      failures INTEGER NOT NULL, PRIMARY KEY (hour, user_id, network)) ${table}`,
    'CREATE INDEX failed_sign_ins_user ON failed_sign_ins (user_id)',
  ],
};
