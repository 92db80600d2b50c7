import { ignoreDamage, type OfficePackage } from '../office/package.js';
import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';
import { rangeOf } from './cell-range.js';

/** Maximum tables of a sheet. */
const MAX_TABLES = 1_000;

/** Returns the numbers of the rows with the column names of the sheet's declared tables. */
export async function readTableHeads(office: OfficePackage, sheet: string): Promise<Set<number>> {
  const heads = new Set<number>();
  const open = (name: string, attributes: XmlAttributes) => {
    if (name !== 's:table' || attributes.get('headerRowCount') === '0') return;
    const range = rangeOf(attributes.get('ref') ?? '');
    if (range) heads.add(range.top);
  };
  const tables = (await office.relationships(sheet)).filter(({ type }) => type === 'table');
  for (const { target } of tables.slice(0, MAX_TABLES)) {
    await ignoreDamage(readPart(office.archive, target, { open }, office.limits));
  }
  return heads;
}
