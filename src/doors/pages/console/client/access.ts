import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, problemText } from '../../client/graphql.ts';
import { mayBeSignedIn, readSession, type Session, signInAs, signOut } from '../../client/session.ts';
import { connectProblem, connectWallet, errorCode, type Provider } from '../../client/wallet.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import { words } from '../shared/words.ts';
import { isOperator } from './rights.ts';
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
}

/** The way into the console, and out of it. */
export interface Access extends AccessState {
  enter(walletId: string, provider: Provider): Promise<void>;
  leave(): Promise<void>;
  /** Reads the session again, after a sign that it has changed or ended. */
  check(): Promise<void>;
}

const RETRY_MS = 2_000;

const inside = (session: Session, moved: boolean): AccessState => ({
  // The operator looks after the installation without a shop of its own.
  stage: session.merchant === null && !isOperator(session) ? 'no-shop' : 'inside',
  session,
  busy: null,
  problem: null,
  moved,
});

const outside = (stage: 'signed-out' | 'ended', moved: boolean): AccessState => ({
  stage,
  session: null,
  busy: null,
  problem: null,
  moved,
});

const OPENING: AccessState = { stage: 'opening', session: null, busy: null, problem: null, moved: false };

/** The visitor's message for a sign-in error. */
function explain(error: unknown, chainName: string): string {
  if (error instanceof ApiError || error instanceof TypeError) return problemText(error);
  if (errorCode(error) === 4001) return words.signIn.declined;
  return connectProblem(error, chainName) ?? words.wallet.failed;
}

/** The session of this browser as the state of a component. */
export function useAccess({ graphqlUrl: url, chain }: ConsoleSettings): Access {
  const [state, setState] = useState<AccessState>(OPENING);
  const now = useRef(state);
  now.current = state;

  const check = useCallback(async () => {
    const found = await readSession(url);
    const { session, stage } = now.current;
    if (found) {
      const isKnown = found.csrfToken === session?.csrfToken && found.role === session.role;
      if (!isKnown) setState(inside(found, stage !== 'opening'));
    } else if (session) setState(outside('ended', true));
    else if (stage === 'opening') setState(outside('signed-out', false));
  }, [url]);

  useEffect(
    () =>
      openAccess(check, {
        onOutside: () => setState(outside('signed-out', false)),
        onProblem: (error) => setState((old) => ({ ...old, problem: problemText(error) })),
      }),
    [check],
  );

  return useMemo(
    () => ({
      ...state,
      check: () => check().catch(() => {}),
      async enter(walletId, provider) {
        const says = (busy: string) => setState((old) => ({ ...old, busy, problem: null }));
        says(words.signIn.connecting);
        try {
          const account = await connectWallet(provider, chain, (step) => {
            if (step === 'switch') says(words.signIn.switching);
          });
          const session = await signInAs(url, { provider, account }, says);
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
        await signOut(url, session).catch((error: unknown) =>
          setState((old) => ({ ...old, problem: problemText(error) })),
        );
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
