import { toAddress } from '../../src/base/chain/address.ts';
import { chargerAbi } from '../../src/base/chain/charger.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import type { Market, Shop } from './market.ts';
import type { Written } from './round.ts';

interface RefundRow {
  readonly receiptId: string;
  readonly buyer: string;
  readonly state: string;
  readonly cents: string;
  readonly proven: string;
  readonly hashes: string[];
}

interface SubscriptionRow {
  readonly id: string;
  readonly hash: string;
  readonly status: string;
  readonly charges: number;
  readonly succeeded: string;
  readonly billed: string;
}

/** Compares refunds and charges with PostgreSQL and the chain. */
export async function ledgerFaults(
  world: Market,
  { merchant, plan }: Shop,
  { refunds, subscriptions }: Pick<Written, 'refunds' | 'subscriptions'>,
): Promise<string[]> {
  const {
    db: { orm },
    chain,
  } = world.setup.deps;
  const ofMerchant = <Row extends object>(text: string) => orm.em.fork().execute<Row[]>(text, [merchant.wallet]);
  const faults: string[] = [];

  const rows = await ofMerchant<RefundRow>(
    `select receipt_id as "receiptId", buyer, state, usd_cents as cents, proven_cents as proven,
            transaction_hashes as hashes from refunds where merchant = ?`,
  );
  const byBuyer = Map.groupBy(rows, ({ buyer }) => buyer);
  for (const { reference, receiptId, buyer, cents, isRequested, hash, isProven } of refunds) {
    const own = byBuyer.get(buyer) ?? [];
    const [row] = own;
    if (own.length > 1 || (isRequested && own.length !== 1))
      faults.push(`refund ${reference} was ${isRequested ? '' : 'not '}acknowledged and is stored ${own.length} times`);
    if (row && (row.receiptId !== receiptId || Number(row.cents) !== cents || Number(row.proven) > cents))
      faults.push(`refund ${reference} is stored as ${JSON.stringify(row)}`);
    if (isProven && (row?.state !== 'refunded' || row.hashes.join() !== hash))
      faults.push(`refund ${reference} was proven by ${hash} and is ${JSON.stringify(row)}`);
    if (hash === null && row?.state === 'refunded') faults.push(`refund ${reference} is refunded and nothing was sent`);
  }

  const stored = await ofMerchant<SubscriptionRow>(
    `select s.id, s.permission_hash as hash, s.status, s.charge_count as charges,
            (select count(*) from charges c where c.subscription_id = s.id and c.status = 'succeeded') as succeeded,
            (select count(*) from billing_events b where b.subscription_id = s.id and b.amount_cents = ${Math.round(plan.priceUsd * 100)}) as billed
       from subscriptions s where merchant = ?`,
  );
  const { client } = chain;
  const logs = await client.getContractEvents({
    ...{ abi: chargerAbi, address: toAddress(spenderOf(world.setup.deps).spender), eventName: 'Charged' },
    ...{ fromBlock: 0n, strict: true },
  });
  const charged = Map.groupBy(logs, ({ args }) => args.hash.toLowerCase());
  const byId = new Map(stored.map((row) => [row.id, row]));
  for (const { reference, ids, isCharged } of subscriptions) {
    const [id] = ids;
    if (ids.size > 1) faults.push(`${reference} was answered ${[...ids].join(' and ')}`);
    if (id === undefined) continue;
    const row = byId.get(id);
    if (!row) faults.push(`subscription ${id} was acknowledged and is lost`);
    else if (isCharged && row.charges !== 1) faults.push(`${id} was charged and is ${JSON.stringify(row)}`);
  }
  for (const row of stored) {
    const count = charged.get(row.hash.toLowerCase())?.length ?? 0;
    if (count > 1 || [row.charges, Number(row.succeeded), Number(row.billed)].some((one) => one !== count))
      faults.push(`${row.id} was charged ${count} times on the chain and is ${JSON.stringify(row)}`);
  }
  return faults;
}
