import { useState } from 'preact/hooks';
import { covers, type MemberRole, neededForKinds, neededForScopes } from '../../../../base/core/roles.ts';
import type { Scope } from '../../../../base/core/scopes.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import { Dialog, useDialogs } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Check } from '../client/field.tsx';
import { useInside } from '../client/inside.ts';
import { SkeletonRows } from '../client/rows.tsx';
import {
  ChangeMemberRole,
  MemberIssued,
  type MemberIssuedQuery,
  type MemberRowFragment,
  RemoveMember,
} from '../generated/people.ts';
import { words } from '../shared/words.ts';
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

/** What ends with a member's rights, and what of it is kept. */
interface Issued {
  readonly data: MemberIssuedQuery['issuedBy'] | undefined;
  readonly problem: string | null;
  readonly kept: ReadonlySet<string>;
  keep(id: string, kept: boolean): void;
  again(): void;
  /** The variables of the mutation. Null: the list is not known yet, so nothing may be decided. */
  readonly variables: { readonly keepKeys: string[]; readonly keepEndpoints: string[] } | null;
}

/**
 * Reads what a member issued and what ends if it has another role.
 *
 * @param left the role that it has then; null: none
 */
function useIssued(wallet: string, left: MemberRole | null): Issued {
  const { data: read, problem, again } = useRead(MemberIssued, { wallet });
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const issued = read?.issuedBy;
  const data = issued && {
    keys: issued.keys.filter(({ scopes }) => !staysWith(left, neededForScopes(scopes.map(scopeOf)))),
    endpoints: issued.endpoints.filter(({ kinds }) => !staysWith(left, neededForKinds(kinds))),
  };
  const keep = (id: string, on: boolean) => {
    const next = new Set(kept);
    if (on) next.add(id);
    else next.delete(id);
    setKept(next);
  };
  const variables = data
    ? {
        keepKeys: data.keys.map(({ keyId }) => keyId).filter((id) => kept.has(id)),
        keepEndpoints: data.endpoints.map(({ id }) => id).filter((id) => kept.has(id)),
      }
    : null;
  return { data, problem, kept, keep, again, variables };
}

const staysWith = (role: MemberRole | null, needed: Parameters<typeof covers>[1]) =>
  role !== null && covers(role, needed);

/** The name of a scope in the API for its name in the schema. */
const scopeOf = (name: string) => name.replace('_', ':') as Scope;

/** The list of what ends, with the choice to keep it. */
function IssuedChoice({ issued: { data, problem, kept, keep, again } }: { readonly issued: Issued }) {
  if (problem !== null) return <ErrorNote problem={problem} again={again} />;
  if (!data) return <SkeletonRows count={1} />;
  if (data.keys.length + data.endpoints.length === 0) return null;
  return (
    <fieldset class="issued">
      <legend class="field-label">{words.people.issued}</legend>
      <p class="soft">{words.people.issuedText}</p>
      {data.keys.map(({ keyId, label, scopes }) => (
        <Check key={keyId} checked={kept.has(keyId)} onChange={(on) => keep(keyId, on)}>
          {words.people.keepKey} <bdi>{label ?? keyId}</bdi>{' '}
          <span class="soft">· {scopes.map((scope) => words.developers.scopes[scope]).join(', ')}</span>
        </Check>
      ))}
      {data.endpoints.map(({ id, url, kinds }) => (
        <Check key={id} checked={kept.has(id)} onChange={(on) => keep(id, on)}>
          {words.people.keepEndpoint} <bdi class="issued-url">{url}</bdi>{' '}
          <span class="soft">· {kinds.includes('*') ? words.people.everyKind : kinds.join(', ')}</span>
        </Check>
      ))}
    </fieldset>
  );
}
