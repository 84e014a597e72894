import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A merchant's identity. */
export interface MerchantRecord {
  readonly wallet: Wallet;
  /** The name given at registration. */
  readonly name: string;
  /** The name shown to buyers: the shop's name, else the merchant's. */
  readonly brandName: string;
  readonly brandKey: string;
  readonly version: number;
  /** Epoch ms. */
  readonly createdAt: number;
}

const FIND = statement(
  'find-merchant',
  `select wallet, name, coalesce(shop ->> 'name', name) as "brandName", brand_key as "brandKey", version, created_at as "createdAt"
     from merchants where wallet = $1`,
);

/** The merchant registered under a wallet; null if there is none. */
export async function findMerchant({ sql }: Pick<Deps, 'sql'>, wallet: Wallet): Promise<MerchantRecord | null> {
  const [merchant] = await sql.rows<MerchantRecord>(FIND, [wallet]);
  return merchant ?? null;
}

const LIST = statement(
  'list-merchants',
  `select wallet, name, coalesce(shop ->> 'name', name) as "brandName", brand_key as "brandKey", version, created_at as "createdAt"
     from merchants order by created_at, wallet`,
);

/** Every merchant of the installation, oldest first. For the operator only. */
export function listMerchants({ sql }: Pick<Deps, 'sql'>): Promise<MerchantRecord[]> {
  return sql.rows<MerchantRecord>(LIST, []);
}
