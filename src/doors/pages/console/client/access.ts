import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/graphql.ts';
import {
  forgetSession,
  knownSession,
  mayBeSignedIn,
  readSession,
  rememberSession,
  type Session,
  signInAs,
  signOut,
} from '../../client/session.ts';
import { connectWallet, errorCode, type Provider } from '../../client/wallet.ts';
import type { Permission } from '../../generated/session.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import { words } from '../shared/words.ts';
import type { ConsolePage } from './console-page.ts';
import { useInside } from './inside.ts';
import { connectProblem, problemText } from './problem.ts';
import { rememberWallet } from './wallets.ts';

/** Where a visitor is: reading the session, outside, outside because the session ended, without a shop, or inside. */
type Stage = 'opening' | 'signed-out' | 'ended' | 'no-shop' | 'inside';

interface AccessState {
  readonly stage: Stage;
  readonly session: Session | null;
  /** The current activity, as text. */
  readonly busy: string | null;
  readonly problem: string | null;
  /** The visitor came or went on this page, so that the focus follows. */
  readonly moved: boolean;
  /** The session is the one that this browser remembers: the server has not confirmed it yet. */
  readonly remembered: boolean;
}

/** The way into the console, and out of it. */
export interface Access extends AccessState {
  enter(walletId: string, provider: Provider): Promise<void>;
  leave(): Promise<void>;
  /** Reads the session again, after a sign that it has changed or ended. */
  check(): Promise<void>;
  /** The session as the server says it is. */
  confirm(session: Session): void;
}

const RETRY_MS = 2_000;

/** The operator looks after the installation without a shop of its own. */
const mayEnter = (session: Session): boolean => session.merchant !== null || isOperator(session);

const inside = (session: Session, moved: boolean, remembered = false): AccessState => ({
  stage: mayEnter(session) ? 'inside' : 'no-shop',
  session,
  busy: null,
  problem: null,
  moved,
  remembered,
});

const outside = (stage: 'signed-out' | 'ended', moved: boolean): AccessState => ({
  stage,
  session: null,
  busy: null,
  problem: null,
  moved,
  remembered: false,
});

const OPENING: AccessState = { ...outside('signed-out', false), stage: 'opening' };

/**
 * A reload begins with the session that this browser remembers, so that the page need not wait for it. A wallet without
 * a shop may have one meanwhile.
 */
function first(): AccessState {
  const session = knownSession();
  return session && mayEnter(session) ? inside(session, false, true) : OPENING;
}

const isSame = (one: Session, other: Session): boolean =>
  one.csrfToken === other.csrfToken &&
  one.role === other.role &&
  one.merchant === other.merchant &&
  String(one.permissions) === String(other.permissions);

/** The visitor's message for an error of the API. */
const said = (error: unknown): string =>
  error instanceof ApiError && error.code === 'rate_limited' ? words.tooMany : problemText(error);

/** The visitor's message for a sign-in error. */
function explain(error: unknown, chainName: string): string {
  if (error instanceof ApiError || error instanceof TypeError) return said(error);
  if (errorCode(error) === 4001) return words.signIn.declined;
  return connectProblem(error, chainName) ?? words.wallet.failed;
}

/** The session of this browser as the state of a component. */
export function useAccess({ graphqlUrl: url, chain }: ConsoleSettings): Access {
  const [state, setState] = useState<AccessState>(first);
  const now = useRef(state);
  now.current = state;

  const check = useCallback(async () => {
    const found = await readSession(url);
    const { session, stage, remembered } = now.current;
    if (found) {
      if (!session || !isSame(found, session)) setState(inside(found, stage !== 'opening' && !remembered));
    } else if (session && !remembered) setState(outside('ended', true));
    else if (remembered) setState(outside('signed-out', false));
    else if (stage === 'opening') setState(outside('signed-out', false));
  }, [url]);

  useEffect(() => {
    if (state.session) rememberSession(state.session);
    else if (state.stage !== 'opening') forgetSession();
  }, [state.session, state.stage]);

  useEffect(
    () =>
      now.current.stage === 'inside'
        ? undefined
        : openAccess(check, {
            onOutside: () => setState(outside('signed-out', false)),
            onProblem: (error) => setState((old) => ({ ...old, problem: said(error) })),
          }),
    [check],
  );

  return useMemo(
    () => ({
      ...state,
      check: () => check().catch(() => {}),
      confirm: (session) =>
        setState((old) =>
          old.session && isSame(old.session, session) ? { ...old, remembered: false } : inside(session, false),
        ),
      async enter(walletId, provider) {
        const says = (busy: string) => setState((old) => ({ ...old, busy, problem: null }));
        says(words.signIn.connecting);
        try {
          const account = await connectWallet(provider, chain, (step) => {
            if (step === 'switch') says(words.signIn.switching);
          });
          const session = await signInAs(url, { provider, account }, (step) =>
            says(step === 'sign' ? words.signIn.sign : words.signIn.entering),
          );
          rememberWallet(walletId);
          setState(inside(session, true));
        } catch (error) {
          setState((old) => ({ ...old, busy: null, problem: explain(error, chain.name) }));
        }
      },
      async leave() {
        const { session } = now.current;
        setState(outside('signed-out', true));
        if (!session) return;
        // First the pages go, with what they are reading: after the sign-out it would be refused.
        await new Promise((resolve) => setTimeout(resolve));
        await signOut(url, session).catch((error: unknown) => setState((old) => ({ ...old, problem: said(error) })));
      },
    }),
    [state, check, url, chain],
  );
}

interface Opening {
  onOutside(): void;
  /** The session could not be read. It is tried again. */
  onProblem(error: unknown): void;
}

/** Continues an existing session; tries again while the server does not answer. */
function openAccess(check: () => Promise<void>, { onOutside, onProblem }: Opening): () => void {
  let timer = 0;
  const open = () => {
    check().catch((error: unknown) => {
      onProblem(error);
      timer = window.setTimeout(open, RETRY_MS);
    });
  };
  if (mayBeSignedIn()) open();
  else onOutside();
  return () => clearTimeout(timer);
}

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
