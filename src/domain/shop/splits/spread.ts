import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import { knownHead } from '../../../base/onchain/blocks/known-head.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';

/** The heads of the chains after the first, as lists of equal length. */
export interface FurtherHeads {
  readonly chainIds: readonly number[];
  readonly heads: readonly number[];
}

type SpreadDeps = Pick<Deps, 'db' | 'chains' | 'clock'>;

/**
 * The known heads of chains, of all after the first by default. Never fails because of a chain: one that was never seen
 * and does not answer is left out, and gets its splits from `spreadSplits` once it does.
 */
export async function furtherHeads(deps: SpreadDeps, chains = deps.chains.slice(1)): Promise<FurtherHeads> {
  const heads = await Promise.all(chains.map((chain) => knownHead({ ...deps, chain })));
  const known = chains.map(({ chainId }, i) => ({ chainId, head: heads[i]! })).filter(({ head }) => head > 0);
  return { chainIds: known.map(({ chainId }) => chainId), heads: known.map(({ head }) => head) };
}

interface Spread extends FurtherHeads {
  readonly firstChainId: number;
  /** Null: every merchant. */
  readonly merchant: Wallet | null;
  readonly now: number;
}

const merchantIs = ({ merchant }: Spread) => sql`(${merchant}::text is null or f.merchant = ${merchant}::text)`;

/** Marks the splits that were replaced on the first chain. Separate, so that no merchant ever has two active ones. */
const REPLACE = query(
  'splits-spread-replaced',
  (_db, $: Spread) => sql<{ address: string }>`
    update splits s set replaced_at = f.replaced_at, txid = pg_current_xact_id()
      from splits f
     where f.chain_id = ${$.firstChainId} and ${merchantIs($)} and f.replaced_at is not null
       and s.chain_id = any(${$.chainIds}::int8[]) and s.merchant = f.merchant and s.address = f.address
       and s.replaced_at is null
    returning s.address`,
  { computed: { address: 'text' } },
);

const RENEW = query(
  'splits-spread-renewed',
  (_db, $: Spread) => sql<{ address: string }>`
    update splits s set replaced_at = null, txid = pg_current_xact_id()
      from splits f
     where f.chain_id = ${$.firstChainId} and ${merchantIs($)} and f.replaced_at is null
       and s.chain_id = any(${$.chainIds}::int8[]) and s.merchant = f.merchant and s.address = f.address
       and s.replaced_at is not null
    returning s.address`,
  { computed: { address: 'text' } },
);

const ADD = query(
  'splits-spread-added',
  (_db, $: Spread) => sql<{ address: string }>`
    insert into splits (merchant, id, chain_id, address, recipients, salt, init_code, verified, created_block,
                        created_at, replaced_at)
    select f.merchant, f.id || '_' || c.chain_id, c.chain_id, f.address, f.recipients, f.salt, f.init_code, f.verified,
           c.head, ${$.now}, f.replaced_at
      from splits f
      join unnest(${$.chainIds}::int8[], ${$.heads}::int8[]) c(chain_id, head) on true
     where f.chain_id = ${$.firstChainId} and ${merchantIs($)} and f.init_code is not null
       and not exists (select from splits s where s.chain_id = c.chain_id and s.address = f.address)
    on conflict do nothing
    returning address`,
  { computed: { address: 'text' } },
);

/**
 * Repeats a merchant's splits of the first chain on all others, within its transaction: a splitter of ours has the same
 * address on every chain. An address that the merchant gave is not repeated, because it may have no code elsewhere.
 */
export async function spreadWithin(
  { chains, clock }: Pick<SpreadDeps, 'chains' | 'clock'>,
  uow: UnitOfWork,
  merchant: Wallet | null,
  further: FurtherHeads,
): Promise<void> {
  if (further.chainIds.length === 0) return;
  const spread = { ...further, merchant, firstChainId: chains[0]!.chainId, now: clock() };
  await uow.run(REPLACE, spread);
  await uow.run(RENEW, spread);
  await uow.run(ADD, spread);
}

/**
 * Repeats the splits of all merchants on the current chain, unless it is the first: it may have been added to the
 * configuration, or was down when a split was configured. Returns whether the chain's head is known.
 */
export async function spreadSplits(deps: SpreadDeps & Pick<Deps, 'db' | 'chain'>): Promise<boolean> {
  if (deps.chain.chainId === deps.chains[0]!.chainId) return true;
  const further = await furtherHeads(deps, [deps.chain]);
  await deps.db.transaction((uow) => spreadWithin(deps, uow, null, further));
  return further.chainIds.length > 0;
}
