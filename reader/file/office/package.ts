import { posix } from 'node:path';
import { ExtractError } from '../../extract-error.js';
import type { Archive } from '../archive/archive.js';
import type { ExtractLimits } from '../limits.js';
import { readPart } from '../xml/read-part.js';

/** A relationship of a part (Open Packaging Conventions, ISO/IEC 29500-2). */
export interface Relationship {
  id: string;
  /** Last segment of the relationship type, for example `slide`, `notesSlide` or `worksheet`. */
  type: string;
  /** Name of the target part, without a leading slash. Relationships to external targets are left out. */
  target: string;
}

/** An Office file with its archive and main part. */
export interface OfficePackage {
  archive: Archive;
  limits: ExtractLimits;
  mainPart: string;
  /** Returns the relationships of a part in file order. Empty if there are none, or they are unreadable. */
  relationships(part: string): Promise<Relationship[]>;
}

/**
 * Opens an Office file. `fallbackMain` is used if the package does not name its main part. Rejects with FILE_UNPARSABLE
 * if there is no main part.
 */
export async function openPackage(
  archive: Archive,
  fallbackMain: string,
  limits: ExtractLimits,
): Promise<OfficePackage> {
  const relationships = (part: string) => readRelationships(archive, part, limits);
  const declared = (await relationships('')).find((relationship) => relationship.type === 'officeDocument');
  const mainPart = [declared?.target, fallbackMain].find((name) => name !== undefined && archive.has(name));
  if (mainPart === undefined) throw new ExtractError('FILE_UNPARSABLE');
  return { archive, limits, mainPart, relationships };
}

async function readRelationships(
  archive: Archive,
  part: string,
  limits: ExtractLimits,
): Promise<Relationship[]> {
  const folder = posix.dirname(part);
  const list: Relationship[] = [];
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const handler = {
    open(element: string, attributes: { get(name: string): string | undefined }) {
      if (element !== 'rel:Relationship' || attributes.get('TargetMode') === 'External') return;
      const target = decodePartName(attributes.get('Target') ?? '');
      list.push({
        id: attributes.get('Id') ?? '',
        type: (attributes.get('Type') ?? '').split('/').at(-1) ?? '',
        target: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
      });
    },
  };
  await ignoreDamage(readPart(archive, name, handler, limits));
  return list;
}

function decodePartName(target: string): string {
  const name = target.replaceAll('\\', '/').split('#')[0] ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Ignores errors of an optional part, except FILE_TOO_COMPLEX. */
export async function ignoreDamage(reading: Promise<unknown>): Promise<void> {
  try {
    await reading;
  } catch (error) {
    if (!(error instanceof ExtractError) || error.code !== 'FILE_UNPARSABLE') throw error;
  }
}

/** Returns the title and the description in the core properties. Each is empty if it is missing. */
export async function readCoreProperties(
  office: OfficePackage,
): Promise<{ title: string; description: string }> {
  const part = (await office.relationships('')).find(({ type }) => type === 'core-properties')?.target;
  const texts: Record<string, string> = {};
  let open = '';
  const handler = {
    open: (name: string) => {
      open = name;
    },
    close: () => {
      open = '';
    },
    text: (text: string) => {
      if (read.has(open)) texts[open] = (texts[open] ?? '') + text;
    },
  };
  await ignoreDamage(readPart(office.archive, part ?? 'docProps/core.xml', handler, office.limits));
  return {
    title: texts['dc:title'] ?? '',
    description: texts['dc:description'] || texts['dc:subject'] || '',
  };
}

const read: ReadonlySet<string> = new Set(['dc:title', 'dc:description', 'dc:subject']);
