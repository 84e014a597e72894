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
/**
 * How long to wait for a block with the transaction. After that a later round checks again, and the server can shut
 * down.
 */
const WAIT_MS = 5_000;

/** Splits in use only: current splits, and replaced splits with open shares. */
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
 * Deploys the splits that are not on the chain yet, and detects those that another sender has deployed. A split counts
 * as deployed once its code is on chain at full depth. Without a sender, only detects. A split that cannot be deployed
 * is retried later and does not delay the others.
 */
export async function deploySplits(deps: DeployDeps, sender: Sender | null): Promise<void> {
  const resting = deps.backoff.delayed('deploy:');
  const splits = await deps.sql.rows<UndeployedSplit>(UNDEPLOYED, [deps.chain.chainId, resting]);
  await Promise.all(splits.map((split) => deploySplit(deps, sender, split)));
}

async function deploySplit(deps: DeployDeps, sender: Sender | null, split: UndeployedSplit): Promise<void> {
  const what = `deploy:${split.address}`;
  try {
    // The state of the newest block first: an older one is asked only for a contract that is there, since a node may
    // have dropped it.
    if (!(await isDeployed(deps.chain, split.address))) {
      if (!sender || !(await sendDeployment(deps, sender, split))) deps.backoff.failed(what);
      return;
    }
    if (await isFinallyDeployed(deps.chain, split.address))
      await deps.sql.rows(DEPLOYED, [deps.chain.chainId, split.address]);
    // Otherwise only the confirmations are missing: the next round checks again.
    deps.backoff.succeeded(what);
  } catch (error) {
    if (sender && deps.funds.ranOut(error, sender.address)) return;
    deps.backoff.failed(what);
    deps.log.warn({ split: split.address, reason: reasonOf(error) }, 'split deployment failed');
  }
}

/** Returns whether the deployment is in a block. */
async function sendDeployment(
  { chain, funds }: DeployDeps,
  sender: Sender,
  { address, salt, initCode }: UndeployedSplit,
): Promise<boolean> {
  if (!salt || !initCode || funds.areSpent()) return false;
  const { hash } = await sender.send(deploymentTransaction({ salt, initCode }));
  // A null hash means not sent: it would revert, because another sender deployed first.
  if (hash !== null) {
    funds.sufficed();
    await sender.waitFor(hash, WAIT_MS);
  }
  return isDeployed(chain, address);
}
