import type { ComponentChildren } from 'preact';
import type { Schema } from '../api/description.js';
import type { FieldTexts } from './layout.js';
import type { Entry } from './values.js';

/** A choice, which may have a remark or be disabled. */
export interface Choice {
  value: string;
  label: string;
  isDisabled?: boolean;
}

export interface FieldProps {
  /** Path of the field, for example `rateLimit.maxMessages`. */
  name: string;
  schema: Schema;
  entry: Entry;
  isRequired: boolean;
  /** Problems of all fields, by path. */
  problems: Record<string, string[]>;
  onChange: (entry: Entry) => void;
  texts: FieldTexts;
  /** Replaces the choices of the schema. */
  choices?: readonly Choice[] | undefined;
  /** Shown below the field. */
  children?: ComponentChildren;
}
