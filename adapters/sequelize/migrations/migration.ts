/** The words in which the engines differ. */
export interface Dialect {
  /** A UUID as text, compared byte by byte. */
  id: string;
  /** For keys, names of ours and what is indexed: compared byte by byte. */
  ascii(length: number): string;
  /** For what people wrote. */
  text(length: number): string;
  long: string;
  bytes: string;
  /** An integer primary key that counts up and never comes back. */
  sequence: string;
  /** What stands behind a table's columns. */
  table: string;
  dropIndex(index: string, table: string): string;
}

export interface Migration {
  name: string;
  up(dialect: Dialect): string[];
  down(dialect: Dialect): string[];
}

export const dialects: Record<'mysql' | 'sqlite', Dialect> = {
  sqlite: {
    id: 'CHAR(36)',
    ascii: (length) => `VARCHAR(${length})`,
    text: (length) => `VARCHAR(${length})`,
    long: 'TEXT',
    bytes: 'BLOB',
    sequence: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    table: '',
    dropIndex: (index) => `DROP INDEX ${index}`,
  },
  mysql: {
    id: 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin',
    ascii: (length) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`,
    text: (length) => `VARCHAR(${length})`,
    long: 'LONGTEXT',
    bytes: 'LONGBLOB',
    sequence: 'BIGINT PRIMARY KEY AUTO_INCREMENT',
    table: 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci',
    dropIndex: (index, table) => `DROP INDEX ${index} ON ${table}`,
  },
};
