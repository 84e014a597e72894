import { type MemberRole, ROLE_NAMES } from '../../../../base/core/roles.ts';
import { words } from '../shared/words.ts';

interface RoleFieldProps {
  readonly role: MemberRole;
  readonly onChange: (role: MemberRole) => void;
}

/** A choice of a role, each with what it is for. */
export function RoleField({ role, onChange }: RoleFieldProps) {
  return (
    <fieldset>
      <legend class="field-label">{words.people.role}</legend>
      {ROLE_NAMES.map((name) => (
        <label key={name} class="check role-choice">
          <input type="radio" name="role" checked={name === role} onChange={() => onChange(name)} />
          <span>
            <strong>{words.roles[name].name}</strong>
            <span class="soft"> {words.roles[name].about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
