/** Texts of a field. Limits and defaults come from the schema. */
interface FieldText {
  label?: string;
  /** One sentence that explains the field, shown above it. */
  about?: string;
  /** Describes the effect of leaving the field empty. */
  unset?: string;
  /** True if the input is masked. */
  isSecret?: boolean;
  /** Labels of choices, by value. */
  choices?: Record<string, string>;
}

/** Texts by field. A field in a group is named by its path, for example `rateLimit.maxMessages`. */
export type FieldTexts = Readonly<Record<string, FieldText>>;

/** A group of related fields in a form. */
export interface FormSection {
  title?: string;
  about?: string;
  fields: readonly string[];
}
