import mysql from 'mysql2';

/** What this process has said to MySQL servers so far. */
export interface Spoken {
  statements: number;
  transactions: number;
}

interface Command {
  sql?: string;
  constructor: { name: string };
}

/** Counts what every connection of this process says from now on. */
export function countStatements(): () => Spoken {
  const spoken: Spoken = { statements: 0, transactions: 0 };
  const { prototype } = mysql.Connection as unknown as {
    prototype: { addCommand(command: Command): Command };
  };
  const { addCommand } = prototype;
  prototype.addCommand = function (this: unknown, command) {
    const { name } = command.constructor;
    if (name === 'Query' || name === 'Execute') spoken.statements += 1;
    if (name === 'Query' && command.sql?.startsWith('START TRANSACTION')) spoken.transactions += 1;
    return addCommand.call(this, command);
  };
  return () => ({ ...spoken });
}
