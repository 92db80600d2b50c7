/** Texts of a field. Limits and defaults come from the schema. */
interface FieldText {
  label?: string;
  /** One sentence that explains the field, shown above it. */
  about?: string;
  /** What holds while a field has no value. */
  unset?: string;
  /** The text is not shown while it is typed. */
  isSecret?: boolean;
  /** Labels of choices, by value. */
  choices?: Record<string, string>;
}

/** Texts by field. Fields in groups are named by their path, such as `rateLimit.maxMessages`. */
export type FieldTexts = Readonly<Record<string, FieldText>>;

/** Fields that belong together for the user. */
export interface FormSection {
  title?: string;
  about?: string;
  fields: readonly string[];
}
