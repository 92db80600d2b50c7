import type { Failure } from '../api/failure.js';
import { Problem } from './notice.js';

interface FormEndProps {
  failure: Failure | null;
  /** Label of the button that submits. */
  verb: string;
  isDisabled: boolean;
  onCancel: () => void;
}

/** The end of a form in a dialog: its failure, and the buttons that close or submit it. */
export const FormEnd = ({ failure, verb, isDisabled, onCancel }: FormEndProps) => (
  <>
    <Problem failure={failure} />
    <div class="actions">
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" class="primary" disabled={isDisabled}>
        {verb}
      </button>
    </div>
  </>
);
