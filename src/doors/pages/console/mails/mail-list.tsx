import { useRights } from '../client/access.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { LoadedRows } from '../client/loaded.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { type MailFactsFragment, Mails, ResendMail } from '../generated/mails.ts';
import { words } from '../shared/words.ts';

const TONES = { pending: 'warn', sent: 'mark', dropped: 'muted', failed: 'bad' } as const;

/** The latest e-mails of the shop, or those about one receipt, each with what the mail server said. */
export function MailList({ subjectId = null }: { readonly subjectId?: string | null }) {
  const read = useRead(Mails, { subjectId }, { again: subjectId === null });
  return (
    <LoadedRows
      read={read}
      of={read.data?.mails.nodes}
      place={2}
      label={words.mails.title}
      empty={{ title: words.mails.none, text: words.mails.noneText }}
      row={(mail) => <MailRow key={mail.id} mail={mail} named={subjectId === null} />}
    />
  );
}

interface MailRowProps {
  readonly mail: MailFactsFragment;
  /** Whether the row says what the message is about. */
  readonly named: boolean;
}

function MailRow({ mail, named }: MailRowProps) {
  const { mailId, kind, receiptId, subscriptionId, state, answer, queuedAt } = mail;
  const { busy, problem, send } = useWrite(ResendMail);
  const href = receiptId ? `/console/receipts/${encodeURIComponent(receiptId)}` : null;
  return (
    <li class="row">
      <span>
        {words.mails.kinds[kind]}
        {named && href !== null && (
          <>
            {' · '}
            <a href={href}>{receiptId}</a>
          </>
        )}
        {named && subscriptionId !== null && <span class="soft"> · {subscriptionId}</span>}
        {answer !== null && state !== 'sent' && <span class="soft"> · {answer}</span>}
        <ErrorNote problem={problem} />
      </span>
      <span class="row-end">
        <Status tone={TONES[state]}>{words.mails.states[state]}</Status> <When at={queuedAt} />{' '}
        {useRights().may('receipts_write') && state !== 'pending' && (
          <Button kind="plain" busy={busy} onClick={() => void send({ mailId })}>
            {words.mails.again}
          </Button>
        )}
      </span>
    </li>
  );
}
