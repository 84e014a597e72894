import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm-write.tsx';
import { Dialog } from '../client/dialog.tsx';
import { useDialogs } from '../client/dialogs.ts';
import { ErrorNote } from '../client/error-note.tsx';
import { useInside } from '../client/inside.ts';
import { ChangeMemberRole, type MemberRowFragment, RemoveMember } from '../generated/people.ts';
import { words } from '../shared/words.ts';
import { IssuedChoice, useIssued } from './issued.tsx';
import { memberName } from './member-name.ts';
import { RoleField } from './role-field.tsx';

/** Gives a member another role, or removes it. */
export function ChangeMember({ member }: { readonly member: MemberRowFragment }) {
  const { isOpen, open, close } = useDialogs();
  if (isOpen('remove')) return <Remove member={member} onClose={close} />;
  return <ChangeRole member={member} onClose={close} onRemove={() => open('remove', member.wallet)} />;
}

interface ChangeMemberProps {
  readonly member: MemberRowFragment;
  readonly onClose: () => void;
}

function ChangeRole({ member, onClose, onRemove }: ChangeMemberProps & { readonly onRemove: () => void }) {
  const { check } = useInside();
  const [role, setRole] = useState(member.role);
  const issued = useIssued(member.wallet, role);
  const { busy, problem, send } = useWrite(ChangeMemberRole);
  const save = async () => {
    if (!(await send({ wallet: member.wallet, role, ...issued.variables }))) return;
    onClose();
    if (member.self) await check();
  };
  return (
    <Dialog open title={words.people.changeTitle({ name: memberName(member) })} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <RoleField role={role} onChange={setRole} />
        <p class="soft">{words.people.changeText}</p>
        {role !== member.role && <IssuedChoice issued={issued} />}
        <ErrorNote problem={problem} />
        <div class="dialog-actions">
          {!member.self && (
            <Button kind="danger" onClick={onRemove}>
              {words.people.remove}
            </Button>
          )}
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={role === member.role || issued.variables === null}>
            {words.people.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Remove({ member, onClose }: ChangeMemberProps) {
  const issued = useIssued(member.wallet, null);
  return (
    <ConfirmWrite
      open
      title={words.people.removeTitle({ name: memberName(member) })}
      action={words.people.remove}
      kind="danger"
      write={RemoveMember}
      variables={{ wallet: member.wallet, ...issued.variables }}
      waits={issued.variables === null}
      onClose={onClose}
    >
      <p>{words.people.removeText}</p>
      <IssuedChoice issued={issued} />
    </ConfirmWrite>
  );
}
