import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Empty } from '../client/empty.tsx';
import { useInside } from '../client/inside.ts';
import { Opening } from '../client/opening.tsx';
import { PageHead } from '../client/page-head.tsx';
import { useRights } from '../client/rights.ts';
import { words } from '../shared/words.ts';
import { PAGES } from './registry.ts';

/** The place of a page that the role does not include. The first page leads to the first one that it does. */
export function NoAccess() {
  const { path, route } = useLocation();
  const { role } = useInside().session;
  const { mayOpen } = useRights();
  const first = PAGES.find((page) => page.icon !== null && mayOpen(page))?.path ?? '/console/account';
  const isHome = path === '/console';
  useEffect(() => {
    if (isHome) route(first, true);
  }, [isHome, first]);
  if (isHome) return <Opening title={words.home.title} />;
  return (
    <>
      <PageHead title={words.noAccess.title} />
      <Empty
        title={words.noAccess.empty}
        text={role && words.noAccess.text(words.roles[role].name)}
        action={{ href: '/console/account', text: words.noAccess.account }}
      />
    </>
  );
}
