import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';
import { readChartText } from './chart-text.js';
import { ignoreDamage, type OfficePackage } from './package.js';

/** A chart or SmartArt diagram. Its data is in another part. */
export interface Graphic {
  kind: 'chart' | 'diagram';
  /** Relationship id of that part. */
  id: string;
}

export function graphicOf(element: string, attributes: XmlAttributes): Graphic | null {
  if (element === 'c:chart' || element === 'cx:chart')
    return { kind: 'chart', id: attributes.get('r:id') ?? '' };
  if (element === 'dgm:relIds') return { kind: 'diagram', id: attributes.get('r:dm') ?? '' };
  return null;
}

/**
 * Returns the text of a chart or diagram. `targets` maps relationships to parts. Empty if the part is missing or
 * damaged.
 */
export async function readGraphicText(
  office: OfficePackage,
  graphic: Graphic,
  targets: ReadonlyMap<string, string>,
): Promise<string> {
  const target = targets.get(graphic.id);
  if (target === undefined) return '';
  return graphic.kind === 'chart' ? readChartText(office, target) : readDiagramText(office, target);
}

/** Reads the points of a SmartArt diagram in document order. */
async function readDiagramText(office: OfficePackage, part: string): Promise<string> {
  const lines: string[] = [];
  let line = '';
  let collecting = false;
  const handler = {
    open(name: string) {
      if (name === 'a:t') collecting = true;
    },
    close(name: string) {
      if (name === 'a:t') collecting = false;
      if (name !== 'a:p') return;
      if (line.trim() !== '') lines.push(`- ${line.trim()}`);
      line = '';
    },
    text(text: string) {
      if (collecting) line += text;
    },
  };
  await ignoreDamage(readPart(office.archive, part, handler, office.limits));
  return lines.join('\n');
}
