import { parseInput } from '../../base/core/input.ts';
import { eraseAuditPersonal } from '../../base/records/audit/erase.ts';
import { entryWithHash, type VerifiedChain, verifyChains } from '../../base/records/audit/verify.ts';
import { buyerInput } from '../../domain/operations/privacy/buyer.input.ts';
import { eraseBuyer } from '../../domain/operations/privacy/erase-buyer.ts';
import { ownerOf, walletOf, withDeps } from './open-deps.ts';
import { print } from './print.ts';

interface VerifyOptions {
  readonly merchant?: string;
  readonly head?: string;
  readonly json?: boolean;
}

/** `quittance audit verify`: exits with 1 if a chain is broken, and names its first broken entry. */
export async function auditVerify({ merchant, head, json }: VerifyOptions): Promise<void> {
  if (head !== undefined && merchant === undefined)
    throw Object.assign(new Error('--head belongs to one chain: name it with --merchant'), { code: 'invalid_input' });
  const owner = merchant === undefined ? null : ownerOf(merchant);
  const chains = await withDeps(async (deps) => {
    const verified = await verifyChains(deps.db, owner);
    if (owner === null || head === undefined) return verified;
    const missing = (await entryWithHash(deps.db, owner, head.toLowerCase())) === null;
    return verified.map((chain) => (missing && !chain.broken ? withoutHead(chain) : chain));
  });
  const ok = chains.every(({ broken }) => broken === null);
  print({ ok, chains }, json, chains.length > 0 ? chains.map(lineOf) : ['The audit log is empty.']);
  if (!ok) process.exitCode = 1;
}

const withoutHead = (chain: VerifiedChain): VerifiedChain => ({
  ...chain,
  broken: { number: chain.entries + 1, reason: 'the entry with the hash of --head is missing: the end was cut off' },
});

const lineOf = ({ merchant, entries, head, broken }: VerifiedChain): string =>
  broken === null
    ? `${merchant}  ${entries} entries are valid, head ${head}`
    : `${merchant}  BROKEN at entry ${broken.number}: ${broken.reason}`;

/** `quittance audit erase` */
export async function auditErase(options: { before: number; merchant?: string; json?: boolean }): Promise<void> {
  const { before, merchant } = options;
  const owner = merchant === undefined ? null : ownerOf(merchant);
  const erased = await withDeps((deps) => eraseAuditPersonal(deps, { merchant: owner, before }));
  print({ erased }, options.json, [`The personal data of ${erased} entries is erased.`]);
}

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
