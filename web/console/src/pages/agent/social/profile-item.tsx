import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Why an item cannot be published, and the field with the problem. */
export interface ItemProblem {
  field: string;
  problem: string;
}

/** Attributes that connect a field to its problem. */
export type Marks = (field: string) => { 'aria-invalid'?: boolean; 'aria-describedby'?: string };

interface ProfileItemProps {
  name: string;
  problem: ItemProblem | null;
  /** Moves the item up by one; null at the start of the list. */
  up: (() => void) | null;
  down: (() => void) | null;
  remove: () => void;
  children: (marks: Marks) => ComponentChildren;
}

/** An item of the list, with its problem and its actions. */
export function ProfileItem({ name, problem, up, down, remove, children }: ProfileItemProps) {
  const id = useId();
  const marks: Marks = (field) =>
    problem?.field === field ? { 'aria-invalid': true, 'aria-describedby': id } : {};
  return (
    <fieldset class="group">
      <legend>{name}</legend>
      {children(marks)}
      {problem && (
        <p class="field-problem" id={id}>
          {problem.problem}
        </p>
      )}
      <div class="item-actions">
        <button
          type="button"
          class="quiet"
          disabled={!up}
          aria-label={`Move ${name} up`}
          onClick={() => up?.()}
        >
          Up
        </button>
        <button
          type="button"
          class="quiet"
          disabled={!down}
          aria-label={`Move ${name} down`}
          onClick={() => down?.()}
        >
          Down
        </button>
        <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={() => remove()}>
          Remove
        </button>
      </div>
    </fieldset>
  );
}
