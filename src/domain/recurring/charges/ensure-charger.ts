import { setTimeout } from 'node:timers/promises';
import { guardedDeployment } from '../../../base/chain/create2.ts';
import { isDeployed } from '../../../base/chain/splitter.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { SpenderDeps } from '../../../base/onchain/spender/deps.ts';
import { sendOther } from '../../../base/onchain/spender/send-transactions.ts';
import type { SpenderKey } from '../../../base/onchain/spender/spender-key.ts';
import { follow } from './record-outcomes.ts';

const found = new WeakSet<SpenderKey>();
const TRIES = 60;

/**
 * Ensures that the spend permission manager exists and that the charging contract is deployed, and deploys the latter
 * if it is missing. Returns false if the wallet cannot pay for the deployment. Refuses with `spender_not_configured` if
 * the manager does not exist, and with `chain_unavailable` if the deployment takes too long.
 */
export async function ensureCharger(deps: SpenderDeps, key: SpenderKey): Promise<boolean> {
  if (found.has(key)) return true;
  const { address } = key.charger;
  for (let tries = 0; !(await isDeployed(deps.chain, address)); tries++) {
    if (!(await isDeployed(deps.chain, key.manager)))
      throw refuse('spender_not_configured', `There is no spend permission manager at ${key.manager}`);
    if (tries === TRIES) throw refuse('chain_unavailable', 'The charging contract is not deployed yet');
    if (tries === 0) {
      const call = guardedDeployment(key.charger);
      if (!(await sendOther(deps, key, { purpose: 'deploy', merchant: '', subjectId: address, call }))) return false;
    }
    await follow(deps, key);
    await setTimeout(deps.chain.client.pollingInterval);
  }
  found.add(key);
  return true;
}
