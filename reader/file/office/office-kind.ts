import type { Archive } from '../archive/archive.js';
import type { ExtractLimits } from '../limits.js';
import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';
import { ignoreDamage } from './package.js';

export type OfficeKind = 'docx' | 'xlsx' | 'pptx';

/** Content types of main parts, with and without macros, of documents and templates. */
const mainTypes: readonly (readonly [RegExp, OfficeKind])[] = [
  [/wordprocessingml\.(document|template)\.main|ms-word\.\w+\.macroEnabled\w*\.main/i, 'docx'],
  [/spreadsheetml\.(sheet|template)\.main|ms-excel\.\w+\.macroEnabled\w*\.main/i, 'xlsx'],
  [
    /presentationml\.(presentation|template|slideshow)\.main|ms-powerpoint\.\w+\.macroEnabled\w*\.main/i,
    'pptx',
  ],
];

const usualMainParts: readonly (readonly [string, OfficeKind])[] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
];

/** Detects the Office type by content types, or else by parts. Null if the archive is not an Office file. */
export async function officeKindOf(archive: Archive, limits: ExtractLimits): Promise<OfficeKind | null> {
  let found: OfficeKind | null = null;
  const open = (_name: string, attributes: XmlAttributes) => {
    const type = attributes.get('ContentType') ?? '';
    found ??= mainTypes.find(([pattern]) => pattern.test(type))?.[1] ?? null;
  };
  await ignoreDamage(readPart(archive, '[Content_Types].xml', { open }, limits));
  return found ?? usualMainParts.find(([part]) => archive.has(part))?.[1] ?? null;
}
