import { MEMBER_ROLES, PERMISSIONS } from '../core/roles.ts';
import { vocabulary } from './vocabulary.ts';

export const MemberRoleEnum = vocabulary('MemberRole', 'The role of a member of a merchant.', MEMBER_ROLES);

export const PermissionEnum = vocabulary('Permission', 'What a role includes.', PERMISSIONS);
