import type { Permission } from '../../generated/session.ts';
import type { ConsolePage } from '../registry.ts';
import { useInside } from './inside.ts';

/** The rights of the session in its shop. */
interface Rights {
  /** Whether the role includes a permission. */
  may(permission: Permission): boolean;
  /** Whether the role may use a page. */
  mayOpen(page: Pick<ConsolePage, 'permission'>): boolean;
}

/** The rights of the session in its shop. The server checks them with each request. */
export function useRights(): Rights {
  const { permissions } = useInside().session;
  const may = (permission: Permission) => permissions.includes(permission);
  return {
    may,
    mayOpen: ({ permission }) => permission === null || may(permission),
  };
}
