import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Empty } from '../components/empty.tsx';
import { Opening } from '../components/opening.tsx';
import { PageHead } from '../components/page-head.tsx';
import { PAGES } from '../registry.ts';
import { words } from '../words.ts';
import { useInside } from './inside.ts';
import { useRights } from './rights.ts';

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
