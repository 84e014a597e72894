import type { Chain } from './client.ts';
import { type Deployment, deploymentTransaction } from './create2.ts';
import type { Sender } from './sender.ts';
import { isDeployed } from './splitter.ts';

const ATTEMPTS = 5;

/** Deploys a contract where it is missing; any number of times, by any number of processes. Refuses with `chain_unavailable`. */
export async function deployOnce(chain: Chain, deployer: Sender, deployment: Deployment): Promise<void> {
  for (let attempt = 1; !(await isDeployed(chain, deployment.address)); attempt++) {
    if (attempt > ATTEMPTS) throw new Error(`No contract could be deployed at ${deployment.address}`);
    try {
      const { hash } = await deployer.send(deploymentTransaction(deployment));
      if (hash !== null) await deployer.waitFor(hash);
    } catch (error) {
      // Another process that deploys at the same time may have taken the nonce; its contract is as good.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
