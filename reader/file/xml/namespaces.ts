import { ExtractError } from '../../extract-error.js';

/** Namespaces of Office Open XML, transitional and strict (ISO/IEC 29500), with their canonical prefixes. */
const prefixes: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w',
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main': 's',
  'http://purl.oclc.org/ooxml/spreadsheetml/main': 's',
  'http://schemas.openxmlformats.org/presentationml/2006/main': 'p',
  'http://purl.oclc.org/ooxml/presentationml/main': 'p',
  'http://schemas.microsoft.com/office/powerpoint/2018/8/main': 'p188',
  'http://schemas.openxmlformats.org/drawingml/2006/main': 'a',
  'http://purl.oclc.org/ooxml/drawingml/main': 'a',
  'http://schemas.openxmlformats.org/drawingml/2006/chart': 'c',
  'http://purl.oclc.org/ooxml/drawingml/chart': 'c',
  'http://schemas.microsoft.com/office/drawing/2014/chartex': 'cx',
  'http://schemas.openxmlformats.org/drawingml/2006/diagram': 'dgm',
  'http://purl.oclc.org/ooxml/drawingml/diagram': 'dgm',
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm',
  'urn:schemas-microsoft-com:vml': 'v',
  'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing': 'xdr',
  'http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing': 'xdr',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'http://schemas.openxmlformats.org/package/2006/relationships': 'rel',
  'http://schemas.openxmlformats.org/package/2006/content-types': 'ct',
  'http://schemas.openxmlformats.org/package/2006/metadata/core-properties': 'cp',
  'http://purl.org/dc/elements/1.1/': 'dc',
};

/** Maps declared prefixes to canonical prefixes. `?` denotes a namespace that no reader uses. */
export type NamespaceScope = ReadonlyMap<string, string>;

export const emptyScope: NamespaceScope = new Map();

/** Maximum prefixes in scope. Office declares about 40. */
const MAX_PREFIXES = 1_000;

/**
 * Returns the scope inside an element with these namespace declarations (`xmlns` or `xmlns:x` to URI). Throws
 * FILE_TOO_COMPLEX if there are too many.
 */
export function extendScope(scope: NamespaceScope, declarations: Iterable<[string, string]>): NamespaceScope {
  const inner = new Map(scope);
  for (const [name, uri] of declarations) {
    if (inner.size > MAX_PREFIXES) throw new ExtractError('FILE_TOO_COMPLEX');
    inner.set(name === 'xmlns' ? '' : name.slice('xmlns:'.length), prefixes[uri] ?? '?');
  }
  return inner;
}
