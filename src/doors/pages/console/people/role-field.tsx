import { type MemberRole, ROLE_NAMES } from '../../../../base/core/roles.ts';
import { Choices } from '../client/field.tsx';
import { words } from '../shared/words.ts';

interface RoleFieldProps {
  readonly role: MemberRole;
  readonly onChange: (role: MemberRole) => void;
}

/** A choice of a role, each with what it is for. */
export function RoleField({ role, onChange }: RoleFieldProps) {
  return (
    <Choices
      label={words.people.role}
      name="role"
      choices={ROLE_NAMES}
      about={words.roles}
      value={role}
      onChange={onChange}
    />
  );
}
