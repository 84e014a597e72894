import { Refusal } from '../core/errors.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { RESERVED_MS } from '../quotes/reserve.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import { readBalance } from './balance.ts';
import { describeBalance, describeTransfer } from './credit.ts';
import { isCrossChecked } from './cross-check.ts';
import type { MatchDeps } from './match.ts';
import { confirmTransfer, lockTransfer, TRANSFER_COLUMNS, type TransferRow } from './transfers.ts';

const BATCH = 500;

/** Confirms the transfers up to a block that was read at full depth, and marks the receipts that they cover as paid. */
export async function confirmTransfers(deps: MatchDeps, chainId: number, upTo: number): Promise<void> {
  for (;;) {
    const transfers = await inTransaction(deps, (uow) =>
      uow.sql<TransferRow>(
        `select ${TRANSFER_COLUMNS} from transfers t
          where t.chain_id = $1 and t.block_number <= $2 and t.canonical and t.confirmed_at is null
          order by t.block_number, t.log_index limit ${BATCH}`,
        [chainId, upTo],
      ),
    );
    let failed = false;
    for (const transfer of transfers) {
      try {
        if (await isCrossChecked(deps, transfer)) await confirm(deps, transfer);
        else failed = true;
      } catch (error) {
        if (error instanceof Refusal) throw error;
        // A transfer that fails does not block the others; the next round retries it.
        failed = true;
        deps.log.error({ err: error, transactionHash: transfer.transactionHash }, 'payment confirmation failed');
      }
    }
    if (failed || transfers.length < BATCH) return;
  }
}

async function confirm(deps: MatchDeps, seen: TransferRow): Promise<void> {
  await inTransaction(deps, async (uow) => {
    const transfer = await lockTransfer(uow, seen);
    if (!transfer || transfer.confirmedAt !== null) return;
    await confirmTransfer(uow, transfer, deps.clock());
    const receipt = transfer.receiptId === null ? null : await lockReceipt(uow, transfer.merchant, transfer.receiptId);
    if (receipt?.status === 'tx_mined') await payIfFinal(deps, uow, receipt, transfer);
  });
}

async function payIfFinal(deps: MatchDeps, uow: UnitOfWork, receipt: Receipt, transfer: TransferRow): Promise<void> {
  const [open] = await uow.sql(
    'select 1 from transfers where merchant = $1 and receipt_id = $2 and canonical and confirmed_at is null limit 1',
    [receipt.merchant, receipt.id],
  );
  const balance = await readBalance(uow, receipt);
  if (open || !balance.covered) return;
  const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.token);
  await recordChange(
    deps,
    uow,
    receipt,
    { kind: 'status', to: 'paid' },
    { actor: 'chain', detail: { ...describeTransfer(transfer, token), ...describeBalance(balance) } },
  );
  await uow.sql(
    'update quotes set reserved_until = $3 where merchant = $1 and receipt_id = $2 and reserved_until is null',
    [receipt.merchant, receipt.id, deps.clock() + RESERVED_MS],
  );
  await createShares(uow, receipt);
}

/**
 * Creates one share per payee of each verified split that received the money. The owed amounts are computed later from
 * the chain.
 */
async function createShares(uow: UnitOfWork, receipt: Receipt): Promise<void> {
  await uow.sql(
    `insert into settlement_shares (merchant, receipt_id, split, token, payee, chain_id, shares_bps)
     select distinct t.merchant, t.receipt_id, t.pay_to, t.token, r.address, t.chain_id, r."sharesBps"
       from transfers t
       join splits s on s.chain_id = t.chain_id and s.address = t.pay_to and s.verified
      cross join jsonb_to_recordset(s.recipients) as r(address text, "sharesBps" int)
      where t.merchant = $1 and t.receipt_id = $2 and t.canonical
     on conflict do nothing`,
    [receipt.merchant, receipt.id],
  );
}
