import { useState } from 'preact/hooks';
import type { MemberRole } from '../../../../base/core/roles.ts';
import { useCreate } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Dialog } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Input } from '../client/field.tsx';
import { SecretDialog } from '../client/secret-dialog.tsx';
import { InviteMember } from '../generated/people.ts';
import { words } from '../shared/words.ts';
import { RoleField } from './role-field.tsx';

/** Makes a link that invites one person, and shows it once. */
export function Invite({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [role, setRole] = useState<MemberRole>('cashier');
  const [link, setLink] = useState<string | null>(null);
  const { busy, problem, send, clear } = useCreate(InviteMember);
  const close = () => {
    clear();
    onClose();
  };
  const invite = async () => {
    const made = (await send({ role, label: label.trim() || null }))?.inviteMember;
    if (!made) return;
    setLink(made.url);
    setLabel('');
    setRole('cashier');
    close();
  };
  return (
    <>
      <Dialog open={open} title={words.people.inviteTitle} onClose={close}>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void invite();
          }}
        >
          <Input label={words.people.label} hint={words.people.labelHint} value={label} onInput={setLabel} />
          <RoleField role={role} onChange={setRole} />
          <ErrorNote problem={problem} />
          <div class="dialog-actions">
            <Button onClick={close}>{words.cancel}</Button>
            <Button kind="primary" type="submit" busy={busy}>
              {words.people.inviteAction}
            </Button>
          </div>
        </form>
      </Dialog>
      <SecretDialog
        secret={link}
        title={words.people.linkTitle}
        text={words.people.linkText}
        onClose={() => setLink(null)}
      />
    </>
  );
}
