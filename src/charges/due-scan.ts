import type { SpendPermission } from '../chain/spend-permissions.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { SubscriptionStatus } from '../subscriptions/subscription.entity.ts';

/** The data of a subscription that charging needs. Times in epoch ms. */
export interface DueSubscription {
  readonly merchant: Wallet;
  readonly id: string;
  readonly customer: Wallet;
  readonly priceCents: number;
  /** The token's contract. */
  readonly token: Wallet;
  readonly permission: SpendPermission;
  readonly permissionHash: `0x${string}`;
  readonly sealedSignature: string;
  readonly status: SubscriptionStatus;
  readonly nextChargeAt: number | null;
  /** Failed attempts since the last successful charge. */
  readonly attempts: number;
  readonly planName: string;
  readonly brandName: string;
  /** The merchant's current split contract; null if none is configured. */
  readonly split: Wallet | null;
}

const COLUMNS = `s.merchant, s.id, s.customer, s.price_cents as "priceCents", s.token, s.permission, s.permission_hash as "permissionHash",
  s.sealed_signature as "sealedSignature", s.status, s.next_charge_at as "nextChargeAt", s.attempts, p.name as "planName",
  coalesce(m.shop ->> 'name', m.name) as "brandName", x.address as split`;

const JOINS = `join merchants m on m.wallet = s.merchant
  join plans p on p.merchant = s.merchant and p.id = s.plan_id
  left join splits x on x.merchant = s.merchant and x.chain_id = s.chain_id and x.replaced_at is null`;

/** Reads one page of the index first, then joins only the rows of that page. */
const DUE = statement(
  'subscriptions-due',
  `with page as materialized (
     select merchant, id, next_charge_at from subscriptions
      where status in ('active', 'past_due') and chain_id = $5 and next_charge_at <= $1 and (next_charge_at, id) > ($2::bigint, $3::text)
      order by next_charge_at, id limit $4)
   select ${COLUMNS} from page join subscriptions s on s.merchant = page.merchant and s.id = page.id ${JOINS}
    order by page.next_charge_at, page.id`,
);

const BY_ID = statement('subscription-to-charge', `select ${COLUMNS} from subscriptions s ${JOINS} where s.id = $1`);

type DueDeps = Pick<Deps, 'sql' | 'chain'>;

/**
 * Iterates over the subscriptions that are due at `headMs` (epoch ms of a block), each once.
 *
 * @returns a function that reads the next page; an empty page is the end
 */
export function createDueScan({ sql, chain }: DueDeps, headMs: number, pageSize: number) {
  let after: readonly [nextChargeAt: number, id: string] = [-1, ''];
  return async (): Promise<DueSubscription[]> => {
    const page = await sql.rows<DueSubscription>(DUE, [headMs, ...after, pageSize, chain.chainId]);
    const last = page.at(-1);
    if (last) after = [last.nextChargeAt!, last.id];
    return page;
  };
}

/** One subscription with the data that charging needs; null if it does not exist. */
export async function findToCharge({ sql }: Pick<Deps, 'sql'>, id: string): Promise<DueSubscription | null> {
  const [found] = await sql.rows<DueSubscription>(BY_ID, [id]);
  return found ?? null;
}
