import { deploymentTransaction } from '../chain/create2.ts';
import type { Sender } from '../chain/sender.ts';
import { isDeployed, isFinallyDeployed } from '../chain/splitter.ts';
import { reasonOf } from '../core/reason.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Backoff } from '../platform/backoff.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { Funds } from './funds.ts';

type DeployDeps = Pick<Deps, 'sql' | 'chain' | 'log'> & { readonly backoff: Backoff; readonly funds: Funds };

interface UndeployedSplit {
  readonly address: Wallet;
  readonly salt: `0x${string}` | null;
  readonly initCode: `0x${string}` | null;
}

const AT_ONCE = 20;
/** What is in no block after so long is looked for in a later round; a server that is told to end does not wait longer either. */
const WAIT_MS = 5_000;

/** Splits in use come first: those that are set now, or that still owe something. */
const UNDEPLOYED = statement(
  'payments-undeployed',
  `select s.address, s.salt, s.init_code as "initCode" from splits s
    where s.chain_id = $1 and not s.deployed and s.verified and not (s.address = any($2))
      and (s.replaced_at is null or exists (
            select 1 from settlement_shares o where o.chain_id = s.chain_id and o.split = s.address and o.settled_at is null))
    order by s.created_at limit ${AT_ONCE}`,
);

const DEPLOYED = statement(
  'payments-deployed',
  'update splits set deployed = true where chain_id = $1 and address = $2',
);

/**
 * Deploys the splits that are not on the chain yet, and notices those that another sender has deployed. A split counts as deployed once its code is there
 * at full depth. Without a sender it only looks. A split that cannot be deployed now is tried again later and does not delay the others.
 */
export async function deploySplits(deps: DeployDeps, sender: Sender | null): Promise<void> {
  const resting = deps.backoff.resting('deploy:');
  const splits = await deps.sql.rows<UndeployedSplit>(UNDEPLOYED, [deps.chain.chainId, resting]);
  await Promise.all(splits.map((split) => deploySplit(deps, sender, split)));
}

async function deploySplit(deps: DeployDeps, sender: Sender | null, split: UndeployedSplit): Promise<void> {
  const what = `deploy:${split.address}`;
  try {
    if (await isFinallyDeployed(deps.chain, split.address)) {
      deps.backoff.succeeded(what);
      await deps.sql.rows(DEPLOYED, [deps.chain.chainId, split.address]);
    } else if (await isDeployed(deps.chain, split.address)) {
      // It only lacks confirmations: the next round looks again.
      deps.backoff.succeeded(what);
    } else if (!sender || !(await sendDeployment(deps, sender, split))) deps.backoff.failed(what);
  } catch (error) {
    if (sender && deps.funds.ranOut(error, sender.address)) return;
    deps.backoff.failed(what);
    deps.log.warn({ split: split.address, reason: reasonOf(error) }, 'a split could not be deployed');
  }
}

/** Answers whether the deployment is in a block. */
async function sendDeployment(
  { chain, funds }: DeployDeps,
  sender: Sender,
  { address, salt, initCode }: UndeployedSplit,
): Promise<boolean> {
  if (!salt || !initCode || funds.areSpent()) return false;
  const { hash } = await sender.send(deploymentTransaction({ salt, initCode }));
  // Not sent: it would revert, because another sender was first.
  if (hash !== null) {
    funds.sufficed();
    await sender.waitFor(hash, WAIT_MS);
  }
  return isDeployed(chain, address);
}
