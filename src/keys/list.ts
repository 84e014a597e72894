import type { Scope } from '../core/scopes.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A key without its secret, as it may be shown. */
export interface ListedKey {
  readonly id: string;
  readonly label: string | null;
  readonly scopes: readonly Scope[];
  readonly unlimited: boolean;
  readonly limits: Readonly<Record<string, number>> | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

const selectKeys = statement(
  'keys_of_merchant',
  `select id, label, scopes, unlimited, limits, created_at as "createdAt", revoked_at as "revokedAt"
   from api_keys where merchant = $1 order by created_at desc, id desc`,
);

/** A merchant's keys, newest first, including revoked ones. */
export async function listKeys(deps: Pick<Deps, 'sql'>, merchant: Wallet): Promise<ListedKey[]> {
  return deps.sql.rows<ListedKey>(selectKeys, [merchant]);
}
