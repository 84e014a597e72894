import { type AnyVariables, useMutation, useQuery } from '@urql/preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { newKey } from '../../../../client/new-key.ts';
import { askInSession, type Operation } from '../../client/graphql.ts';
import { connectWallet, errorCode, signTypedData } from '../../client/wallet.ts';
import { ConsoleChallenge, ConsoleConfirm } from '../generated/client.ts';
import { words } from '../shared/words.ts';
import { type Inside, useInside } from './inside.ts';
import { answerText, problemText, walletProblem } from './problem.ts';
import { usualWallet } from './wallets.ts';

/** What a component has of a query: the last data, and whether it is still being read. */
export interface Read<Data> {
  readonly data: Data | undefined;
  readonly problem: string | null;
  /** No data of these variables has arrived yet. */
  readonly loading: boolean;
  /** Reads it again from the server. */
  again(): void;
}

interface ReadOptions {
  readonly pause?: boolean;
  /** False: what the page has read is not read again. Default: true. */
  readonly again?: boolean;
}

/** Reads a query through the cache: what is known at once, then what the server says. */
export function useRead<Data, Variables extends AnyVariables>(
  query: Operation<Data, Variables>,
  variables: Variables,
  { pause = false, again: readsAgain = true }: ReadOptions = {},
): Read<Data> {
  const policy = readsAgain ? {} : { requestPolicy: 'cache-first' };
  const [{ data, error, fetching }, execute] = useQuery<Data, Variables>({
    query,
    variables,
    pause,
    ...policy,
  } as never);
  const again = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  return { data, problem: error ? answerText(error) : null, loading: fetching, again };
}

/** A write that a component can start. */
interface Write<Data, Variables> {
  readonly busy: boolean;
  readonly problem: string | null;
  /** Sends the mutation. Returns its data, or null after a problem. */
  send(variables: Variables): Promise<Data | null>;
  /** Removes the problem. */
  clear(): void;
}

/**
 * A mutation of a component, with its progress and its problem. If the server asks for a fresh signature, the wallet is
 * asked for it, and the mutation is sent again.
 */
export function useWrite<Data, Variables extends AnyVariables>(
  mutation: Operation<Data, Variables>,
): Write<Data, Variables> {
  const [, execute] = useMutation<Data, Variables>(mutation);
  const sign = useFreshSignature();
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null });
  const send = async (variables: Variables): Promise<Data | null> => {
    setState({ busy: true, problem: null });
    let { data, error } = await execute(variables);
    if (error?.graphQLErrors.some(({ extensions }) => extensions.reason === 'signature_required')) {
      const problem = await sign();
      if (problem !== null) {
        setState({ busy: false, problem });
        return null;
      }
      ({ data, error } = await execute(variables));
    }
    setState({ busy: false, problem: error ? answerText(error) : null });
    return error ? null : (data ?? null);
  };
  return { ...state, send, clear: () => setState({ busy: false, problem: null }) };
}

/**
 * A mutation that makes a new record. Its idempotency key belongs to what is made: as long as the same is sent again
 * because no answer came, the server makes one record. What was made, or changed meanwhile, has another key.
 */
export function useCreate<Data, Variables extends AnyVariables & { readonly key: string }>(
  mutation: Operation<Data, Variables>,
): Write<Data, Omit<Variables, 'key'>> {
  const write = useWrite(mutation);
  const unanswered = useRef<{ readonly content: string; readonly key: string } | null>(null);
  const send = async (variables: Omit<Variables, 'key'>): Promise<Data | null> => {
    const content = JSON.stringify(variables);
    if (unanswered.current?.content !== content) unanswered.current = { content, key: newKey() };
    const data = await write.send({ ...variables, key: unanswered.current.key } as Variables);
    if (data !== null) unanswered.current = null;
    return data;
  };
  return { ...write, send };
}

/** Confirms the session with a signature of its wallet. */
async function confirmSession({ settings: { graphqlUrl: url, chain }, session, wallets }: Inside): Promise<void> {
  const provider = usualWallet(wallets);
  if (!provider) throw new Error(words.signature.noWallet);
  const account = await connectWallet(provider, chain, () => {});
  if (account.toLowerCase() !== session.wallet.toLowerCase())
    throw new Error(words.signature.otherWallet({ wallet: session.wallet }));
  const { confirmChallenge } = await askInSession(url, ConsoleChallenge, {}, session.csrfToken);
  if (!confirmChallenge) throw new Error(words.unreachable);
  const { nonce, typedData } = confirmChallenge;
  const signature = await signTypedData(provider, account, typedData);
  await askInSession(url, ConsoleConfirm, { nonce, signature }, session.csrfToken);
}

function explain(error: unknown, chainName: string): string {
  if (error instanceof TypeError) return problemText(error);
  return errorCode(error) === 4001 ? words.signature.declined : walletProblem(error, chainName);
}

/** Says above everything else, an open dialog too, that the wallet waits for a signature. Returns its removal. */
function showRequest(): () => void {
  const note = document.createElement('p');
  note.className = 'signature-note';
  note.setAttribute('role', 'alert');
  note.textContent = words.signature.asked;
  (document.querySelector('dialog[open]') ?? document.getElementById('content'))?.append(note);
  return () => note.remove();
}

/** Asks the wallet for the fresh signature that a write needs. Resolves with the problem, or null if it was given. */
export function useFreshSignature(): () => Promise<string | null> {
  const inside = useInside();
  return useCallback(async () => {
    const hide = showRequest();
    try {
      await confirmSession(inside);
      return null;
    } catch (error) {
      return explain(error, inside.settings.chain.name);
    } finally {
      hide();
    }
  }, [inside]);
}
