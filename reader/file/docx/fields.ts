import type { XmlAttributes } from '../xml/attributes.js';

interface Field {
  /** Whether its code is being read and not its result. */
  isCode: boolean;
  checked: boolean | null;
  entries: string[];
  entry: number | null;
}

export interface Fields {
  /** Takes an element of a field. Returns what an ended form field shows: a box or the chosen entry. */
  open(name: string, attributes: XmlAttributes): string;
  /** Whether the text belongs to the code of another field, such as the value that a condition compares. */
  isInCode(): boolean;
}

const MAX_ENTRIES = 1_000;

/** Follows complex fields (ISO/IEC 29500-1, 17.16.18): code, separator and result, which may contain other fields. */
export function createFields(): Fields {
  const fields: Field[] = [];
  /** Number of open fields whose code is being read. */
  let codes = 0;

  function mark(type: string | undefined): string {
    const field = fields.at(-1);
    if (type === 'begin') {
      fields.push({ isCode: true, checked: null, entries: [], entry: null });
      codes++;
    } else if (field && (type === 'separate' || type === 'end')) {
      if (field.isCode) codes--;
      field.isCode = false;
      if (type === 'end') fields.pop();
    }
    return type === 'end' ? shownBy(field) : '';
  }

  return {
    open(name, attributes) {
      if (name === 'w:fldChar') return mark(attributes.get('w:fldCharType'));
      const field = fields.at(-1);
      if (!field) return '';
      const value = attributes.get('w:val');
      if (name === 'w:checkBox') field.checked = false;
      else if (name === 'w:checked') field.checked = isOn(value);
      else if (name === 'w:default') readDefault(field, value);
      else if (name === 'w:result') field.entry = Number(value);
      else if (name === 'w:listEntry' && field.entries.length < MAX_ENTRIES) field.entries.push(value ?? '');
      return '';
    },
    // The innermost code is not shown anyway. A lone field without an end must not hide the rest of the document.
    isInCode: () => codes - (fields.at(-1)?.isCode ? 1 : 0) > 0,
  };
}

/** The standard puts the default before the state that replaces it. */
function readDefault(field: Field, value: string | undefined): void {
  if (field.checked !== null) field.checked = isOn(value);
  else field.entry ??= Number(value);
}

function shownBy(field: Field | undefined): string {
  if (!field) return '';
  if (field.checked !== null) return field.checked ? '☒' : '☐';
  return field.entries.length > 0 ? (field.entries[field.entry ?? 0] ?? '') : '';
}

const isOn = (value: string | undefined): boolean => !['0', 'false', 'off'].includes(value ?? 'true');
