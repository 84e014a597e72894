import { type ComponentType, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, lazy, Route, Router, useLocation } from 'preact-iso';
import { PageSession } from '../../generated/session.ts';
import { shortHash } from '../../shared/amounts.ts';
import { type Access, useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { Brand } from '../client/brand.tsx';
import { Button } from '../client/button.tsx';
import { type ConsolePage, GROUPS, type PageProps } from '../client/console-page.ts';
import { Dialog } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Icon } from '../client/icon.tsx';
import { useInside } from '../client/inside.ts';
import { mayLeave } from '../client/leaving.ts';
import { Empty, Opening } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { usePaymentAlert } from '../client/payment-alert.ts';
import { useLine } from '../client/receipts-feed.ts';
import { ConsoleShop } from '../generated/client.ts';
import { words } from '../shared/words.ts';
import { KeyDialog, useKeys } from './keys.tsx';
import { PAGES, pageAt } from './registry.ts';

const ROUTES = PAGES.map((page) => ({
  page,
  component: lazy(() =>
    page
      .load()
      .catch(() => ({ default: unreachablePage(page.title()) }))
      .then((loaded) => reading(loaded.default)),
  ),
}));

/** A page that says when its components have begun to read: the effects of a component run after those below it. */
function reading(Page: ComponentType<PageProps>) {
  return (props: PageProps) => {
    const { api } = useInside();
    useEffect(api.opened, [api]);
    return <Page {...props} />;
  };
}

/** Reads the session that the browser remembers with the first page, and corrects what has changed. */
function useConfirmation({ remembered, confirm }: Access): void {
  const { data } = useRead(PageSession, {}, { pause: !remembered });
  useEffect(() => {
    if (remembered && data) confirm(data.me);
  }, [data]);
}

/** The number of pages in the bottom bar of a phone. */
const IN_BAR = 4;

/** The frame around every page: navigation, account, and the line to the server. */
export function Frame({ access }: { readonly access: Access }) {
  const { moved: entered } = access;
  const onLeave = () => void access.leave();
  useConfirmation(access);
  usePaymentAlert();
  const { path } = useLocation();
  const [keysOpen, setKeysOpen] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const content = useRef<HTMLElement>(null);
  const { mayOpen } = useRights();
  const shown = PAGES.filter((page) => page.icon !== null && mayOpen(page));
  useKeys({ onHelp: () => setKeysOpen(true) });
  useEffect(() => setMenuOpen(false), [path]);
  useEffect(() => {
    if (entered) content.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <aside class="side">
        <ShopName />
        <Navigation pages={shown} label={words.pages} />
        <Account onLeave={onLeave} onKeys={() => setKeysOpen(true)} />
      </aside>
      <main class="content" id="content" ref={content} tabIndex={-1}>
        <LineNote />
        <Pages />
      </main>
      <div class="bar">
        <Navigation pages={shown.slice(0, IN_BAR)} label={words.pages} flat />
        <button type="button" class="bar-more" aria-haspopup="dialog" onClick={() => setMenuOpen(true)}>
          <Icon name="more" />
          <span>{words.more}</span>
        </button>
      </div>
      <Dialog open={menuOpen} title={words.menu} onClose={() => setMenuOpen(false)} kind="drawer">
        <Navigation pages={shown} label={words.pages} />
        <Account onLeave={onLeave} />
      </Dialog>
      <KeyDialog open={keysOpen} onClose={() => setKeysOpen(false)} />
    </div>
  );
}

/** The page of the address. While a page loads, the one before stays; the first one has its title in its place. */
function Pages() {
  const { path } = useLocation();
  const { mayOpen } = useRights();
  const [opening, setOpening] = useState(false);
  const shown = useRef(false);
  useLayoutEffect(() => {
    shown.current = !opening;
  });
  return (
    <ErrorBoundary>
      {opening && <Opening title={pageAt(path)?.title() ?? words.name} />}
      <Router onLoadStart={() => setOpening(!shown.current)} onLoadEnd={() => setOpening(false)}>
        {ROUTES.map(({ page, component }) => (
          <Route key={page.name} path={page.path} component={mayOpen(page) ? component : Refused} />
        ))}
        <Route default component={Unknown} />
      </Router>
    </ErrorBoundary>
  );
}

function ShopName() {
  const { session, settings } = useInside();
  const { data } = useRead(ConsoleShop, {}, { pause: session.merchant === null });
  const shop = data?.shopConfig;
  if (session.merchant === null) return <Brand name={settings.brandName} logoUrl={settings.brandLogoUrl} />;
  // Without a name of its own, buyers see the one that it was registered with.
  const registered = data?.memberships.find(({ current }) => current)?.name;
  return (
    <Brand
      name={shop ? (shop.name ?? (registered || words.yourShop)) : ''}
      logoUrl={shop?.theme.brandLogoUrl ?? null}
    />
  );
}

interface NavigationProps {
  readonly pages: readonly ConsolePage[];
  readonly label: string;
  /** Without groups, as in the bar of a phone. */
  readonly flat?: boolean;
}

/** The links to the pages, by what a shop does with them. */
function Navigation({ pages, label, flat = false }: NavigationProps) {
  const { path } = useLocation();
  const current = pageAt(path)?.path;
  const isCurrent = (page: ConsolePage) =>
    current === page.path || (page.path !== '/console' && (current ?? '').startsWith(`${page.path}/`));
  const grouped = flat
    ? [[undefined, pages] as const]
    : [undefined, ...GROUPS]
        .map((group) => [group, pages.filter((page) => page.group === group)] as const)
        .filter(([, members]) => members.length > 0);
  return (
    <nav class="nav" aria-label={label}>
      {grouped.map(([group, members]) => (
        <Fragment key={group}>
          {group && (
            <p class="nav-group" aria-hidden="true">
              {words.groups[group]}
            </p>
          )}
          <ul aria-label={group && words.groups[group]}>
            {members.map((page) => (
              <li key={page.name}>
                <a href={page.path} aria-current={isCurrent(page) ? 'page' : undefined}>
                  {page.icon && <Icon name={page.icon} />}
                  <span>{page.title()}</span>
                </a>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </nav>
  );
}

function Account({ onLeave, onKeys }: { readonly onLeave: () => void; readonly onKeys?: () => void }) {
  const { session, settings } = useInside();
  return (
    <div class="account">
      {settings.chain.local && <p class="test-net">{words.testNetShort}</p>}
      <a class="account-link" href="/console/account" title={session.wallet}>
        <span class="unseen">{words.account.title}: </span>
        <span class="mono">{shortHash(session.wallet)}</span>
        {session.role && <span>{words.roles[session.role].name}</span>}
      </a>
      <div class="account-actions">
        <Button kind="plain" onClick={() => mayLeave() && onLeave()}>
          {words.signOut}
        </Button>
        {onKeys && (
          <Button kind="plain" onClick={onKeys} label={words.keys.title}>
            <kbd>?</kbd>
          </Button>
        )}
      </div>
    </div>
  );
}

function LineNote() {
  const up = useLine();
  const { api } = useInside();
  const [waits, setWaits] = useState(api.isWaiting());
  useEffect(() => api.watch(() => setWaits(api.isWaiting())), [api]);
  return (
    <p class="line" role="status" data-up={up && !waits}>
      {waits ? words.waitsForLimit : up ? '' : words.reconnecting}
    </p>
  );
}

function NotFound() {
  return (
    <>
      <PageHead title={words.notFound.title} />
      <Empty
        title={words.notFound.empty}
        text={words.notFound.text}
        action={{ href: '/console', text: words.home.title }}
      />
    </>
  );
}

/** The place of a page that the role does not include. The first page leads to the first one that it does. */
function NoAccess() {
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
        text={role && words.noAccess.text({ name: words.roles[role].name })}
        action={{ href: '/console/account', text: words.noAccess.account }}
      />
    </>
  );
}

const Refused = reading(NoAccess);
const Unknown = reading(NotFound);

/**
 * Stands for a page whose script could not be loaded: the server does not answer, or has a newer version since this tab
 * was opened. A script that failed is not asked for again without loading the document again.
 */
const unreachablePage = (title: string) => () => (
  <>
    <PageHead title={title} />
    <ErrorNote problem={words.unreachable} again={() => location.reload()} />
  </>
);
