import type { SpendPermission } from '../chain/spend-permissions.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { SubscriptionStatus } from '../subscriptions/subscription.entity.ts';

/** A subscription as charging needs it. Moments in epoch ms. */
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
  /** Tries that failed since the last charge that went well. */
  readonly attempts: number;
  readonly planName: string;
  readonly brandName: string;
  /** Where the merchant's money goes now; null where no split is set. */
  readonly split: Wallet | null;
}

const COLUMNS = `s.merchant, s.id, s.customer, s.price_cents as "priceCents", s.token, s.permission, s.permission_hash as "permissionHash",
  s.sealed_signature as "sealedSignature", s.status, s.next_charge_at as "nextChargeAt", s.attempts, p.name as "planName",
  coalesce(m.shop ->> 'name', m.name) as "brandName", x.address as split`;

const JOINS = `join merchants m on m.wallet = s.merchant
  join plans p on p.merchant = s.merchant and p.id = s.plan_id
  left join splits x on x.merchant = s.merchant and x.chain_id = s.chain_id and x.replaced_at is null`;

/** The index is read first, a page of it, and only what is on the page is looked up further. */
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

/** Goes through what is due at a moment (epoch ms of a block), page by page, each once; an empty page is the end. */
export function createDueScan({ sql, chain }: DueDeps, headMs: number, pageSize: number) {
  let after: readonly [nextChargeAt: number, id: string] = [-1, ''];
  return async (): Promise<DueSubscription[]> => {
    const page = await sql.rows<DueSubscription>(DUE, [headMs, ...after, pageSize, chain.chainId]);
    const last = page.at(-1);
    if (last) after = [last.nextChargeAt!, last.id];
    return page;
  };
}

/** One subscription as charging needs it; null where there is none. */
export async function findToCharge({ sql }: Pick<Deps, 'sql'>, id: string): Promise<DueSubscription | null> {
  const [found] = await sql.rows<DueSubscription>(BY_ID, [id]);
  return found ?? null;
}
