import { useClient } from '@urql/preact';
import { useState } from 'preact/hooks';
import { connectAccount, type Provider, sendTransaction, switchChain } from '../../client/wallet.ts';
import { useInside } from '../client/inside.ts';
import { answerText, walletProblem } from '../client/problem.ts';
import { Collections, type CollectionsQuery } from '../generated/payouts.ts';
import { words } from '../shared/words.ts';

/** Money that a wallet can collect, with the transactions that do it. */
export type Collection = NonNullable<CollectionsQuery['collections']>[number];

const text = words.payouts.own;

/** The time between two looks for a contract that was just put on the chain. */
const LOOK_MS = 2_000;

/** What the console does with a collection now, as text, and what went wrong. */
export interface Collecting {
  readonly busy: string | null;
  readonly problem: string | null;
  readonly isSent: boolean;
  collect(provider: Provider): Promise<void>;
}

/**
 * Sends the transactions of a collection from a wallet, as they are when it is asked. Contracts that are missing come
 * first, each once the one before is on the chain: before that, a wallet estimates too little gas.
 */
export function useCollect({ chainId, split, token }: Pick<Collection, 'chainId' | 'split' | 'token'>): Collecting {
  const { settings } = useInside();
  const client = useClient();
  const [state, setState] = useState<Omit<Collecting, 'collect'>>({ busy: null, problem: null, isSent: false });
  const says = (busy: string) => setState({ busy, problem: null, isSent: false });

  /** Throws the server's message. */
  async function read(): Promise<Collection> {
    const options = { requestPolicy: 'network-only' } as const;
    const key = { chainId, split, token };
    const { data, error } = await client.query<CollectionsQuery>(Collections as string, key, options).toPromise();
    if (!data?.collections) throw new Error(answerText(error));
    const [found] = data.collections;
    if (!found) throw new Error(text.nothing);
    return found;
  }

  return {
    ...state,
    async collect(provider) {
      const chain = settings.chains.find(({ id }) => id === chainId) ?? settings.chain;
      try {
        says(words.refund.preparing);
        let prepared = await read();
        says(words.signIn.connecting);
        const from = await connectAccount(provider);
        await switchChain(provider, chain);
        const send = ({ to, data }: Collection['transaction']) =>
          sendTransaction(provider, chainId, { from, to, data, value: '0x0' });
        for (let [first] = prepared.deployments; first; [first] = prepared.deployments) {
          const missing = prepared.deployments.length;
          says(text.deploying);
          await send(first);
          says(text.waiting);
          while (prepared.deployments.length === missing) {
            await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
            prepared = await read();
          }
        }
        says(words.refund.confirm);
        await send(prepared.transaction);
        setState({ busy: null, problem: null, isSent: true });
      } catch (error) {
        setState({ busy: null, problem: walletProblem(error, chain.name), isSent: false });
      }
    },
  };
}
