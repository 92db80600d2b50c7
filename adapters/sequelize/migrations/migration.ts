/** Column types and clauses that differ between engines. */
export interface Dialect {
  /** A UUID as text, compared byte by byte. */
  id: string;
  /** For keys, internal names and indexed text: compared byte by byte. */
  ascii(length: number): string;
  /** For text written by people. */
  text(length: number): string;
  long: string;
  bytes: string;
  /** An auto-increment primary key whose values are never reused. */
  sequence: string;
  dropIndex(index: string, table: string): string;
  /** The clause after a table's columns. */
  table: string;
}

export interface Migration {
  name: string;
  up(dialect: Dialect): string[];
}

export const dialects: Record<'mysql' | 'sqlite', Dialect> = {
  sqlite: {
    id: 'CHAR(36)',
    ascii: (length) => `VARCHAR(${length})`,
    text: (length) => `VARCHAR(${length})`,
    long: 'TEXT',
    bytes: 'BLOB',
    sequence: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    dropIndex: (index) => `DROP INDEX ${index}`,
    table: '',
  },
  mysql: {
    id: 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin',
    ascii: (length) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`,
    text: (length) => `VARCHAR(${length})`,
    long: 'LONGTEXT',
    bytes: 'LONGBLOB',
    sequence: 'BIGINT PRIMARY KEY AUTO_INCREMENT',
    dropIndex: (index, table) => `DROP INDEX ${index} ON ${table}`,
    table: 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci',
  },
};
