import { type MemberRole, permissionsOf } from '../../../../base/core/roles.ts';
import { words } from '../shared/words.ts';

/** What a role may do, in words. */
export function RoleRights({ role }: { readonly role: MemberRole }) {
  return (
    <ul class="rights">
      {[...permissionsOf(role)].map((permission) => (
        <li key={permission}>{words.permissions[permission]}</li>
      ))}
    </ul>
  );
}
