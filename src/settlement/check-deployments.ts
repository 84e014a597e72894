import type { Wallet } from '../core/wallet.ts';
import { statement } from '../platform/sql.ts';
import { type DeployedDeps, forgetMissing } from '../splits/deployed.ts';

const PAGE = 200;

const IN_USE = statement(
  'splits-deployed-in-use',
  `select s.address from splits s
    where s.chain_id = $1 and s.deployed and s.verified and s.address > $2
      and (s.replaced_at is null or exists (
            select 1 from settlement_shares o where o.chain_id = s.chain_id and o.split = s.address and o.settled_at is null))
    order by s.address limit ${PAGE}`,
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
    const page: { address: Wallet }[] = await deps.sql.rows(IN_USE, [deps.chain.chainId, after]);
    await forgetMissing(
      deps,
      page.map(({ address }) => address),
    );
    after = page.at(-1)?.address ?? null;
  };
}
