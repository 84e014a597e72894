import type { Session } from '../../client/session.ts';
import type { Permission } from '../../generated/session.ts';
import type { ConsolePage } from './console-page.ts';
import { useInside } from './inside.ts';

/** Whether the wallet looks after the whole installation. */
export const isOperator = ({ roles }: Session): boolean => roles.includes('platform_admin');

/** The rights of the session in its shop. */
interface Rights {
  /** Whether the role includes a permission. */
  may(permission: Permission): boolean;
  /** Whether the role may use a page. */
  mayOpen(page: Pick<ConsolePage, 'permission'>): boolean;
  /** Whether the console has a page at an address that the role may use. */
  mayFollow(href: string): boolean;
}

/** The rights of the session in its shop. The server checks them with each request. */
export function useRights(): Rights {
  const { session, pageOf } = useInside();
  const may = (permission: Permission) => session.permissions.includes(permission);
  const mayOpen = ({ permission }: Pick<ConsolePage, 'permission'>) =>
    permission === null || (permission === 'operator' ? isOperator(session) : may(permission));
  const mayFollow = (href: string) => {
    const page = pageOf(href);
    return page !== undefined && mayOpen(page);
  };
  return { may, mayOpen, mayFollow };
}
