import { agentPath, ask } from '../../../api/request.js';
import type { Automation } from '../../../api/types.js';
import { SchemaForm } from '../../../forms/schema-form.js';
import type { Entries } from '../../../forms/values.js';
import { automationTexts, conflictOf, typeTexts } from './automation-texts.js';

interface AutomationFormProps {
  agentId: string;
  type: Automation['type'];
  /** The automation to change; omitted for a new one. */
  stored?: Automation;
  onSaved: () => void;
  onCancel: () => void;
}

/** Creates or changes an automation. */
export function AutomationForm({ agentId, type, stored, onSaved, onCancel }: AutomationFormProps) {
  const path = agentPath(agentId, 'channels', 'social', 'automations');
  const { scopeField, idField } = typeTexts[type];
  const fields = ['name', scopeField, idField, 'keywords', 'message', 'status'];
  const send = async (body: object) => {
    if (stored) await ask(`${path}/${stored.id}`, { method: 'PATCH', body });
    else await ask(path, { method: 'POST', body });
    onSaved();
  };
  return (
    <SchemaForm
      {...(stored
        ? { operation: 'updateAutomation', stored }
        : { operation: 'createAutomation', initial: { type, [scopeField]: 'any', status: 'draft' } })}
      sections={[{ fields }]}
      only={[]}
      texts={automationTexts}
      verb="Save"
      hides={(entries: Entries) => (entries[scopeField] === 'specific' ? [] : [idField])}
      send={send}
      onCancel={onCancel}
      tell={(failure) => {
        const isAtField = Object.keys(failure.fieldErrors).length > 0;
        const conflict = isAtField ? null : conflictOf(failure, agentId, type);
        return conflict ? (
          <p class="notice bad" role="alert">
            {conflict}
          </p>
        ) : null;
      }}
    />
  );
}
