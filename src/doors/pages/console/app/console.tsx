import { Provider } from '@urql/preact';
import { useEffect, useMemo } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { mayBeSignedIn, type Session } from '../../client/session.ts';
import { type Access, useAccess } from '../client/access.ts';
import { createApi } from '../client/api.ts';
import { InsideContext } from '../client/inside.ts';
import { followReceipts, SILENT } from '../client/receipts-feed.ts';
import { type FoundWallets, useWallets } from '../client/wallets.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import { Frame } from './frame.tsx';
import { JOIN_PATH, JoinInvitation } from './join-invitation.tsx';
import { pageAt } from './registry.ts';
import { SignIn } from './sign-in.tsx';

/** The console: the sign-in, or the pages of the signed-in merchant. */
export function Console({ settings }: { readonly settings: ConsoleSettings }) {
  const access = useAccess(settings);
  const wallets = useWallets(settings);
  const { stage, session } = access;
  useReturn(access);
  if (session && location.pathname === JOIN_PATH) return <JoinInvitation settings={settings} session={session} />;
  if (stage !== 'inside' || !session) return <SignIn settings={settings} access={access} wallets={wallets} />;
  // Another session, or another role, begins with new components, a new client and an empty cache.
  return (
    <Signed
      key={`${session.csrfToken} ${session.role}`}
      settings={settings}
      access={access}
      session={session}
      wallets={wallets}
    />
  );
}

interface SignedProps {
  readonly settings: ConsoleSettings;
  readonly access: Access;
  readonly session: Session;
  readonly wallets: FoundWallets;
}

function Signed({ settings, access, session, wallets }: SignedProps) {
  const { graphqlUrl: url } = settings;
  const { check } = access;
  const api = useMemo(() => createApi({ url, session, onSessionOver: () => void check() }), [url, session]);
  const receipts = useMemo(
    () => (session.permissions.includes('receipts_read') ? followReceipts(settings, session, check) : SILENT),
    [url, session],
  );
  useEffect(() => () => receipts.close(), [receipts]);
  const inside = useMemo(
    () => ({ settings, session, api, receipts, wallets, pageOf, check }),
    [settings, session, api, receipts, wallets, check],
  );
  return (
    <Provider value={api.client}>
      <InsideContext.Provider value={inside}>
        <LocationProvider scope="/console">
          <Frame access={access} />
        </LocationProvider>
      </InsideContext.Provider>
    </Provider>
  );
}

const pageOf = (href: string) => pageAt(href.split('?')[0] ?? '');

/** Checks the session when the reader returns to this tab: another tab may have ended it, or begun another one. */
function useReturn({ session, busy, check }: Access): void {
  useEffect(() => {
    const look = () => {
      // A wallet that asks in a window of its own hides this one.
      if (!document.hidden && busy === null && (session || mayBeSignedIn())) void check();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [session, busy, check]);
}
