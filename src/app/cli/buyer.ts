import { parseInput } from '../../base/core/input.ts';
import { buyerInput } from '../../domain/operations/privacy/buyer.input.ts';
import { eraseBuyer } from '../../domain/operations/privacy/erase-buyer.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

/** `quittance buyer erase` */
export async function buyerErase(options: {
  merchant: string;
  email?: string;
  wallet?: string;
  json?: boolean;
}): Promise<void> {
  const { merchant, email, wallet, json } = options;
  const buyer = parseInput(buyerInput, { email, wallet });
  const erased = await withDeps((deps) => eraseBuyer(deps, walletOf(merchant), buyer));
  const { receipts, events, deliveries, auditEntries } = erased;
  print(erased, json, [
    `Erased in ${receipts} receipts, ${events} events, ${deliveries} deliveries and ${auditEntries} entries of the audit log.`,
  ]);
}
