import { toAddress } from '../../base/chain/address.ts';
import { type Chain, reach } from '../../base/chain/client.ts';
import { DEPLOYER, deploymentTransaction } from '../../base/chain/create2.ts';
import { receiptFactoryDeployment, whyNoAddresses } from '../../base/chain/receipt-address.ts';
import { isDeployed } from '../../base/chain/splitter.ts';
import { nativeCoin, toDecimal } from '../../base/chain/tokens.ts';
import { readTransactionCost } from '../../base/chain/transfer-fee.ts';
import { reasonOf } from '../../base/core/reason.ts';
import type { Config } from '../../base/platform/config/config.ts';
import type { Finding } from './doctor-finding.ts';

/** Checks whether receipts have addresses on a chain, and what is missing for them. */
export async function checkAddresses(chain: Chain, settings: Pick<Config, 'settlementPrivateKey'>): Promise<Finding[]> {
  const check = `receipt addresses on chain ${chain.chainId}`;
  try {
    return [{ check, ...(await examineAddresses(chain, settings)) }];
  } catch (error) {
    const fix = 'Use another endpoint. Until it answers, nothing is offered there.';
    return [{ check, state: 'wrong', found: `they cannot be checked: ${reasonOf(error)}`, fix }];
  }
}

/** Throws `chain_unavailable`. */
async function examineAddresses(
  chain: Chain,
  { settlementPrivateKey }: Pick<Config, 'settlementPrivateKey'>,
): Promise<Omit<Finding, 'check'>> {
  const { address } = receiptFactoryDeployment();
  if (await isDeployed(chain, address)) {
    const fault = await whyNoAddresses(chain);
    return fault === null
      ? { state: 'ok', found: `the factory at ${address} makes the computed addresses`, fix: null }
      : { state: 'wrong', found: fault, fix: `Remove chain ${chain.chainId}: nothing is offered there.` };
  }
  if (!(await isDeployed(chain, DEPLOYER)))
    return {
      state: 'wrong',
      found: `the deterministic deployer is not at ${DEPLOYER}, and without it there is no factory`,
      fix: 'Deploy it as https://github.com/Arachnid/deterministic-deployment-proxy says. Until then nothing is offered.',
    };
  const found = `the factory is not at ${address}; its deployment costs ${await deploymentCost(chain)}`;
  if (settlementPrivateKey !== null)
    return { state: 'ok', found: `${found}, which the settlement wallet pays`, fix: null };
  const fix = 'Send what `quittance address factory` prints, from any wallet, or set SETTLEMENT_PRIVATE_KEY.';
  return { state: 'wrong', found, fix };
}

/** About, at present prices. */
async function deploymentCost(chain: Chain): Promise<string> {
  const { to, data } = deploymentTransaction(receiptFactoryDeployment());
  const [gas, costOf] = await Promise.all([
    reach(chain.client.estimateGas({ to: toAddress(to), data })),
    readTransactionCost(chain),
  ]);
  if (costOf === null) return `${gas} gas`;
  const coin = nativeCoin(chain);
  return `about ${toDecimal(costOf({ gas, bytes: data.length / 2 }), coin.decimals)} ${coin.symbol} (${gas} gas)`;
}
