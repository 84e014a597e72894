import type { Wallet } from '../../../base/core/wallet.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type DeployedDeps, forgetMissing } from '../../shop/splits/deployed.ts';
import { isInUse } from './in-use.ts';

const PAGE = 200;

const IN_USE = query('splits-deployed-in-use', (db, $: { chainId: number; after: Wallet }) =>
  db
    .selectFrom('Split as s')
    .select('s.address')
    .where('s.chainId', '=', $.chainId)
    .where('s.deployed', '=', true)
    .where('s.verified', '=', true)
    .where('s.address', '>', $.after)
    .where(isInUse)
    .orderBy('s.address')
    .limit(PAGE),
);

/**
 * Checks all deployed splits in use again after a reorganisation deeper than the confirmations, one page per call.
 * `confirmed` is the block up to which the watcher has read at full depth; it decreases only after such a
 * reorganisation.
 */
export function createDeploymentCheck(deps: DeployedDeps): (confirmed: number) => Promise<void> {
  let highest = 0;
  let after: Wallet | null = null;
  return async (confirmed) => {
    if (confirmed < highest) after = '' as Wallet;
    highest = confirmed;
    if (after === null) return;
    const page: { address: Wallet }[] = await deps.sql.run(IN_USE, { chainId: deps.chain.chainId, after });
    await forgetMissing(
      deps,
      page.map(({ address }) => address),
    );
    after = page.at(-1)?.address ?? null;
  };
}
