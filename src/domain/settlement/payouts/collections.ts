import { sql } from 'kysely';
import { z } from 'zod';
import { readTokenBalance } from '../../../base/chain/balances.ts';
import { reach } from '../../../base/chain/client.ts';
import { deploymentTransaction, type TransactionCall } from '../../../base/chain/create2.ts';
import { receiptSalt } from '../../../base/chain/receipt-address.ts';
import { type AddressRecord, collectCall, receiptFactoryDeployment } from '../../../base/chain/receipt-record.ts';
import { isDeployed } from '../../../base/chain/splitter.ts';
import { type Caller, may } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { parseInput } from '../../../base/core/input.ts';
import { identifier } from '../../../base/core/text.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { selectCollectable, waitsForNoMore } from '../shares/collect.ts';
import { isFactoryDeployed } from '../shares/deploy.ts';

/** The addresses of one transaction. A hundred take about 6 million gas. */
const BATCH = 100;
/** The transactions that are prepared for one chain. */
const PLACES = 20;

/** The splits that a caller may collect for: those of its merchant, and those that pay its wallet. */
export interface Beneficiary {
  /** Null: none. */
  readonly merchant: Wallet | null;
  readonly wallet: Wallet | null;
}

/** For whom a caller may collect: a merchant's key or member that reads its split, and every wallet for itself. */
export function beneficiaryOf(caller: Caller): Beneficiary {
  if (caller.kind === 'developer') return { merchant: caller.merchant, wallet: null };
  if (caller.kind !== 'session') return { merchant: null, wallet: null };
  return { merchant: may(caller, 'split:read') ? caller.merchant : null, wallet: caller.wallet };
}

/** What one transaction sends from the addresses of receipts to a split, and from there to its recipients. */
export interface PreparedCollection {
  readonly chainId: number;
  readonly split: Wallet;
  /** The symbol; null for a token that the server does not list. */
  readonly symbol: string | null;
  /** Null is the native coin. */
  readonly tokenAddress: Wallet | null;
  /** Null if it is not known. */
  readonly decimals: number | null;
  /** Base units. */
  readonly amount: string;
  /** The addresses that the transaction collects from. */
  readonly addresses: number;
  /** The addresses that hold this token for the split, with those that further transactions collect from. */
  readonly waiting: number;
  /** The contracts that are missing on the chain: these transactions come first. */
  readonly deployments: readonly TransactionCall[];
  readonly transaction: TransactionCall;
}

const wallet = z.unknown().transform((value, ctx) => {
  const parsed = parseWallet(value);
  if (parsed !== null) return parsed;
  ctx.addIssue({ code: 'custom', message: 'must be 0x followed by 40 hex characters' });
  return z.NEVER;
});
const selection = z.object({
  chainId: z.number().int().positive().nullish(),
  split: wallet.nullish(),
  token: z.string().max(64).nullish(),
  receiptId: identifier.nullish(),
});

/** Which collections are asked for; all conditions must hold. `token`: a symbol, or the address of a contract. */
export type CollectionSelection = z.output<typeof selection>;

/** Parses the arguments. Refuses with `invalid_input`. */
export const parseSelection = (args: unknown): CollectionSelection => parseInput(selection, args);

interface Seen {
  readonly chainId: number;
  readonly merchant: Wallet;
  readonly wallet: Wallet;
  /** Empty: every split and receipt. */
  readonly split: Wallet;
  readonly receiptId: string;
}

/** Whether the split `s` is the merchant's, or pays the wallet. */
const isSeen = ({
  merchant,
  wallet: payee,
  split,
}: Omit<Seen, 'chainId' | 'receiptId'>) => sql<boolean>`(s.merchant = ${merchant}
  or s.recipients @> jsonb_build_array(jsonb_build_object('address', ${payee}::text)))
  and (${split}::text = '' or s.address = ${split})`;

const WAITING = query(
  'payouts-collections',
  (db, $: Seen & { tokens: readonly string[] }) =>
    db
      .selectFrom(
        selectCollectable(db, $)
          .select(['a.address', 'a.factory', 'a.split', 'a.merchant', 'a.receiptId', 'a.createdAt', 'a.number'])
          .select(['t.token', 's.recipients', 's.deployed', 's.salt', 's.initCode'])
          .select((eb) => [
            eb.fn.sum<string>('t.amount').as('amount'),
            sql<number>`row_number() over (partition by t.split, t.token, a.factory order by sum(t.amount) desc,
              a.address)`.as('position'),
            sql<number>`count(*) over (partition by t.split, t.token, a.factory)`.as('waiting'),
            sql<number>`dense_rank() over (order by t.split, t.token, a.factory)`.as('place'),
          ])
          .where(isSeen($))
          .where(sql<boolean>`t.token = any(${$.tokens}::text[])`)
          .where(sql<boolean>`(${$.receiptId}::text = '' or t.address_of = ${$.receiptId})`)
          .groupBy(['a.address', 't.split', 't.token', 's.merchant', 's.id'])
          .as('w'),
      )
      .selectAll()
      .where('w.position', '<=', sql<number>`${sql.lit(BATCH)}`)
      .where('w.place', '<=', sql<number>`${sql.lit(PLACES)}`)
      .orderBy('w.place')
      .orderBy('w.position'),
  { computed: { amount: 'numeric', position: 'int8', waiting: 'int8', place: 'int8' }, slow: true },
);

const OF_RECEIPT = query('payouts-collections-of-receipt', (db, $: Seen) =>
  db
    .selectFrom('ReceiptAddress as a')
    .innerJoin('Split as s', (join) => join.onRef('s.merchant', '=', 'a.merchant').onRef('s.address', '=', 'a.split'))
    .innerJoin('Receipt as r', (join) => join.onRef('r.merchant', '=', 'a.merchant').onRef('r.id', '=', 'a.receiptId'))
    .select(['a.address', 'a.factory', 'a.split', 'a.merchant', 'a.receiptId', 'a.createdAt', 'a.number'])
    .select(['s.recipients', 's.deployed', 's.salt', 's.initCode'])
    .where('a.receiptId', '=', $.receiptId)
    .where('s.chainId', '=', $.chainId)
    .where(({ eb, or }) => or([eb('a.onlyChainId', 'is', null), eb('a.onlyChainId', '=', $.chainId)]))
    .where(isSeen($))
    .where(waitsForNoMore)
    .orderBy('a.split')
    .orderBy('a.address')
    .limit(BATCH),
);

const RECORDS = query('payouts-address-records', (db, $: Omit<Seen, 'chainId'>) =>
  db
    .selectFrom('ReceiptAddress as a')
    .innerJoin('Split as s', (join) => join.onRef('s.merchant', '=', 'a.merchant').onRef('s.address', '=', 'a.split'))
    // The same split on several chains.
    .distinctOn(['a.merchant', 'a.number'])
    .select(['a.address', 'a.factory', 'a.split', 's.salt', 'a.onlyChainId'])
    .select(['a.merchant', 'a.receiptId', 'a.createdAt', 'a.number', 's.recipients'])
    .where('a.receiptId', '=', $.receiptId)
    .where(isSeen($))
    .orderBy('a.merchant')
    .orderBy('a.number')
    .limit(BATCH),
);

/**
 * The records of a receipt's addresses, the first one first: what `readRecord` collects from without this server. Also
 * of receipts that still wait for money. None if the caller may not collect for the receipt.
 */
export const readAddressRecords = (
  { db }: Pick<Deps, 'db'>,
  { merchant, wallet: payee }: Beneficiary,
  receiptId: string,
): Promise<readonly AddressRecord[]> =>
  db.run(RECORDS, {
    ...{ merchant: merchant ?? ('' as Wallet), wallet: payee ?? ('' as Wallet) },
    ...{ split: '' as Wallet, receiptId },
  });

/** An address of a receipt, with the split that its money is for. */
type Source = RowOf<typeof OF_RECEIPT> & { readonly amount: string };

type CollectionDeps = Pick<Deps, 'db' | 'chain' | 'chains'>;

/**
 * The transactions with which a wallet collects the money that waits at the addresses of receipts, whatever that costs,
 * and releases it to all recipients of the split. Any account may send them; they need no settlement wallet. One is for
 * a split in a token, and collects the largest amounts first. A token that the server does not list is named by its
 * contract, with a receipt. Refuses with `invalid_input` and `chain_unavailable`.
 */
export async function prepareCollections(
  deps: CollectionDeps,
  { merchant, wallet: payee }: Beneficiary,
  { chainId, split, token, receiptId }: CollectionSelection,
): Promise<PreparedCollection[]> {
  const named = token == null ? null : parseWallet(token);
  const chains = chainId == null ? deps.chains : [onChain(deps, chainId).chain];
  const prepared = await Promise.all(
    chains.map(async (chain) => {
      const seen: Seen = {
        ...{ chainId: chain.chainId, merchant: merchant ?? ('' as Wallet), wallet: payee ?? ('' as Wallet) },
        ...{ split: split ?? ('' as Wallet), receiptId: receiptId ?? '' },
      };
      const listed = chain.tokens.filter(
        ({ symbol, address }) => token == null || symbol === token || address === named,
      );
      if (named !== null && listed.length === 0) return prepareNamed({ ...deps, chain }, seen, named);
      const rows = await deps.db.run(WAITING, { ...seen, tokens: listed.map(({ symbol }) => symbol) });
      return Promise.all(
        [...Map.groupBy(rows, ({ place }) => place).values()].map((sources) => {
          const { symbol, address, decimals } = listed.find((one) => one.symbol === sources[0]!.token)!;
          const { waiting } = sources[0]!;
          return prepare({ ...deps, chain }, sources, { symbol, tokenAddress: address, decimals, waiting });
        }),
      );
    }),
  );
  return prepared.flat(2);
}

/** Of a token that is not listed the server knows no arrivals: the addresses of one receipt are asked for it. */
async function prepareNamed(deps: CollectionDeps, seen: Seen, tokenAddress: Wallet): Promise<PreparedCollection[][]> {
  if (seen.receiptId === '')
    throw refuse('invalid_input', 'receiptId is required for a token that is not listed', { field: 'receiptId' });
  const sources = await deps.db.run(OF_RECEIPT, seen);
  if (sources.length === 0) return [];
  const block = await reach(deps.chain.client.getBlockNumber());
  const held = await Promise.all(
    sources.map(async (source) => {
      const amount = await readTokenBalance(deps.chain, source.address, tokenAddress, block);
      return amount > 0n ? [{ ...source, amount: String(amount) }] : [];
    }),
  );
  const places = Map.groupBy(held.flat(), ({ split, factory }) => `${split}/${factory}`);
  return Promise.all(
    [...places.values()].map((those) =>
      prepare(deps, those, { symbol: null, tokenAddress, decimals: null, waiting: those.length }),
    ),
  );
}

type Token = Pick<PreparedCollection, 'symbol' | 'tokenAddress' | 'decimals' | 'waiting'>;

/** The collection from the addresses of one split. None if the split is missing and cannot be put on the chain. */
async function prepare(deps: CollectionDeps, sources: readonly Source[], token: Token): Promise<PreparedCollection[]> {
  const { chain } = deps;
  const [{ factory, split, recipients, deployed, salt, initCode }] = sources as [Source];
  const [hasFactory, hasSplit] = await Promise.all([
    isFactoryDeployed(chain, factory),
    deployed || isDeployed(chain, split),
  ]);
  if (!hasSplit && (salt === null || initCode === null)) return [];
  return [
    {
      ...{ chainId: chain.chainId, split, ...token },
      amount: String(sources.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
      addresses: sources.length,
      deployments: [
        ...(hasFactory ? [] : [deploymentTransaction(receiptFactoryDeployment())]),
        ...(hasSplit ? [] : [deploymentTransaction({ salt: salt!, initCode: initCode! })]),
      ],
      transaction: collectCall({
        ...{ factory, split, token: token.tokenAddress },
        salts: sources.map(receiptSalt),
        payees: recipients.map(({ address }) => address),
      }),
    },
  ];
}
