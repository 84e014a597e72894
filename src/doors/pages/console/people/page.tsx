import { ROLE_NAMES } from '../../../../base/core/roles.ts';
import { shortHash } from '../../shared/amounts.ts';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Loaded } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { RoleRights } from '../client/role.tsx';
import { Rows } from '../client/rows.tsx';
import { Section } from '../client/section.tsx';
import { When } from '../client/when.tsx';
import { type MemberRowFragment, People, type PeopleQuery, RevokeInvitation } from '../generated/people.ts';
import { words } from '../shared/words.ts';
import { ChangeMember } from './change-member.tsx';
import { Invite } from './invite.tsx';
import { memberName } from './member-name.ts';

type Invitation = NonNullable<PeopleQuery['invitations']>[number];

/** Who works in the shop, who is invited, and what each role may do. */
export default function PeoplePage() {
  const mayChange = useRights().may('members');
  const read = useRead(People, {});
  const dialogs = useDialogs();
  const members = read.data?.members;
  const invitations = read.data?.invitations ?? [];
  return (
    <>
      <PageHead title={words.people.title} lead={words.people.lead}>
        {mayChange && (
          <Button kind="primary" href={dialogs.hrefOf('invite')}>
            {words.people.invite}
          </Button>
        )}
      </PageHead>
      <ErrorNote problem={read.problem} again={read.again} />
      <Section title={words.people.members}>
        <Loaded read={read} of={members} place={2} problemElsewhere>
          {(found) => <Members members={found} />}
        </Loaded>
      </Section>
      {invitations.length > 0 && (
        <Section title={words.people.invitations}>
          <Rows label={words.people.invitations}>
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} members={members ?? []} />
            ))}
          </Rows>
        </Section>
      )}
      <Section title={words.people.allRoles}>
        <div class="card">
          {ROLE_NAMES.map((role) => (
            <details key={role} class="role-details">
              <summary>
                <strong>{words.roles[role].name}</strong> <span class="soft">{words.roles[role].about}</span>
              </summary>
              <RoleRights role={role} />
            </details>
          ))}
        </div>
      </Section>
      <Invite open={mayChange && dialogs.isOpen('invite')} onClose={dialogs.close} />
    </>
  );
}

/** The name of a wallet, if it is a member. */
function nameOf(wallet: string, members: readonly MemberRowFragment[]): string {
  const member = members.find((each) => each.wallet === wallet);
  return member?.self ? words.people.byYou : memberName(member ?? { label: null, wallet });
}

function Members({ members }: { readonly members: readonly MemberRowFragment[] }) {
  const mayChange = useRights().may('members');
  const dialogs = useDialogs();
  const chosen = dialogs.recordOf('change') ?? dialogs.recordOf('remove');
  const changing = mayChange && members.find(({ wallet }) => wallet === chosen);
  return (
    <>
      <Rows label={words.people.members}>
        {members.map((member) => (
          <li key={member.id} class="row member-row">
            <span class="member-name cut" title={member.wallet}>
              <bdi class={member.label === null ? 'mono' : undefined}>{memberName(member)}</bdi>
              {member.self && <span class="soft"> · {words.people.you}</span>}
            </span>
            <span class="member-role">{words.roles[member.role].name}</span>
            <span class="member-story soft cut">
              {member.label !== null && <span class="mono">{shortHash(member.wallet)} · </span>}
              {member.addedBy === null
                ? words.people.founder
                : words.people.addedBy({ name: nameOf(member.addedBy, members) })}{' '}
              · <When at={member.createdAt} />
            </span>
            {mayChange && (
              <Button
                kind="plain"
                label={`${words.people.change}: ${memberName(member)}`}
                onClick={() => dialogs.open('change', member.wallet)}
              >
                {words.people.change}
              </Button>
            )}
          </li>
        ))}
      </Rows>
      {changing && <ChangeMember key={changing.wallet} member={changing} />}
    </>
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly members: readonly MemberRowFragment[];
}

function InvitationRow({ invitation, members }: InvitationRowProps) {
  const { invitationId, role, label, createdBy, expiresAt } = invitation;
  const mayChange = useRights().may('members');
  const { isOpen, open, close } = useDialogs();
  return (
    <li class="row member-row">
      <span class="member-name cut">
        <bdi>{label ?? words.roles[role].name}</bdi>
      </span>
      <span class="member-role">{words.roles[role].name}</span>
      <span class="member-story soft cut">
        {words.people.addedBy({ name: nameOf(createdBy, members) })} · {words.people.until} <When at={expiresAt} />
      </span>
      {mayChange && (
        <Button
          kind="plain"
          label={`${words.people.revoke}: ${label ?? words.roles[role].name}`}
          onClick={() => open('revoke', invitationId)}
        >
          {words.people.revoke}
        </Button>
      )}
      <ConfirmWrite
        open={mayChange && isOpen('revoke', invitationId)}
        title={words.people.revokeTitle}
        action={words.people.revoke}
        kind="danger"
        write={RevokeInvitation}
        variables={{ invitationId }}
        onClose={close}
      >
        <p>{words.people.revokeText}</p>
      </ConfirmWrite>
    </li>
  );
}
