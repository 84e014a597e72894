import type { Chain } from './client.ts';
import { type Deployment, deploymentTransaction } from './create2.ts';
import type { Sender } from './sender.ts';
import { isDeployed } from './splitter.ts';

const ATTEMPTS = 5;

/** Deploys a contract if it is missing. Idempotent, also across processes. Throws `chain_unavailable`. */
export async function deployOnce(chain: Chain, deployer: Sender, deployment: Deployment): Promise<void> {
  for (let attempt = 1; !(await isDeployed(chain, deployment.address)); attempt++) {
    if (attempt > ATTEMPTS) throw new Error(`The contract could not be deployed at ${deployment.address}`);
    try {
      const { hash } = await deployer.send(deploymentTransaction(deployment));
      if (hash !== null) await deployer.waitFor(hash);
    } catch (error) {
      // Another process may have used the nonce to deploy the same contract.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
