import { agentPath, ask, send } from '../../../api/request.js';
import type { Contact } from '../../../api/types.js';
import { useAction, useList } from '../../../loading.js';
import { ConfirmButton } from '../../../parts/confirm.js';
import { When } from '../../../parts/figures.js';
import { Total } from '../../../parts/filter.js';
import { Empty, Problem } from '../../../parts/notice.js';
import { Permitted } from '../../../parts/permitted.js';
import { Rows } from '../../../parts/rows.js';
import { saveFile } from '../../../parts/save-file.js';
import { to } from '../../../router.js';

/** Contact details that visitors have sent. */
export function Contacts({ agentId }: { agentId: string }) {
  return (
    <section>
      <Permitted needs="contacts.view" what="reading contact details">
        <Listed agentId={agentId} />
      </Permitted>
    </section>
  );
}

function Listed({ agentId }: { agentId: string }) {
  const list = useList<Contact>(agentPath(agentId, 'contacts'));
  const saving = useAction();
  return (
    <>
      <div class="find">
        <Total list={list} what="contact" />
        <button type="button" disabled={saving.busy} onClick={() => void saving.run(() => download(agentId))}>
          Download as CSV
        </button>
      </div>
      <Problem failure={saving.failure} />
      <Rows
        list={list}
        empty={
          <Empty title="No contacts yet.">
            <p>
              Visitors can leave their details in the widget if you set up a contact form under Settings, A
              person.
            </p>
          </Empty>
        }
      >
        {(contact) => (
          <li key={contact.id}>
            <div>
              <strong>{nameOf(contact)}</strong>
              <p class="muted small">
                {[contact.name && contact.email, contact.phone].filter(Boolean).join(' · ')}
                {(contact.name && contact.email) || contact.phone ? ' · ' : ''}
                <When seconds={contact.createdAt} />
                {contact.consent === null ? ' · gave no consent' : ''}
              </p>
              {contact.message && <p class="lines">{contact.message}</p>}
              {contact.conversationId && (
                <a href={to('agents', agentId, 'conversations', contact.conversationId)}>Conversation</a>
              )}
            </div>
            <ConfirmButton
              label="Delete"
              name={`Delete ${nameOf(contact)}`}
              class="quiet"
              title="Delete contact"
              verb="Delete"
              work={() => ask(agentPath(agentId, 'contacts', contact.id), { method: 'DELETE' })}
              done="The contact was deleted."
              onDone={list.reload}
            >
              <p>
                The details of <strong>{nameOf(contact)}</strong> are deleted for good. The conversation
                stays.
              </p>
            </ConfirmButton>
          </li>
        )}
      </Rows>
    </>
  );
}

const nameOf = ({ name, email, phone }: Contact): string => name ?? email ?? phone ?? 'Unknown visitor';

/** Saves all contacts as a CSV file. */
async function download(agentId: string): Promise<void> {
  const response = await send(agentPath(agentId, 'contacts'), { headers: { accept: 'text/csv' } });
  saveFile('contacts.csv', await response.blob());
}
