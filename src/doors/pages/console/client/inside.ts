import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from '../../client/session.ts';
import type { ConsoleReceiptsSubscription } from '../generated/client.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import type { Api } from './api.ts';
import type { ConsolePage } from './console-page.ts';
import type { Feed } from './feed.ts';
import type { FoundWallets } from './wallets.ts';

/** What every page of a signed-in console has. */
export interface Inside {
  readonly settings: ConsoleSettings;
  readonly session: Session;
  readonly api: Api;
  readonly receipts: Feed<ConsoleReceiptsSubscription['receiptStatuses']>;
  readonly wallets: FoundWallets;
  /** The page at an address; undefined if there is none. */
  pageOf(href: string): ConsolePage | undefined;
  /** Reads the session again, after a sign that it, its merchant or its role has changed. */
  check(): Promise<void>;
}

export const InsideContext = createContext<Inside>(null as never);

/** What every page of a signed-in console has. */
export const useInside = (): Inside => useContext(InsideContext);

/** What the page of an invitation has: a session, perhaps without a shop. */
export const InvitedContext = createContext<Pick<Inside, 'settings' | 'session'>>(null as never);
