import type { Wallet } from '../../../base/core/wallet.ts';
import { isMailbox } from '../../../base/outgoing/smtp.ts';
import type { MailConfig } from '../../../base/platform/config/mail.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import type { MailKind } from './kinds.ts';
import { readLimit } from './limit.ts';

/** A digest of an address of a merchant, which does not name it. */
export const addressDigest = (merchant: Wallet, address: string): string =>
  sha256(`${merchant} ${address.toLowerCase()}`);

const REFUSED = query('mail-address-refused', (db, $: { merchant: Wallet; digest: string }) =>
  db
    .selectFrom('MailMessage')
    .select('id')
    .where('merchant', '=', $.merchant)
    .where('refusedDigest', '=', $.digest)
    .limit(1),
);

/** Whether the server has refused an address for good. */
export const isRefused = async (db: Db, merchant: Wallet, address: string): Promise<boolean> =>
  (await db.run(REFUSED, { merchant, digest: addressDigest(merchant, address) })).length > 0;

/** Whether a message of a merchant would be sent now; to an address, if one is given. Pages promise it only then. */
export async function wouldSend(
  db: Db,
  mail: MailConfig | null,
  now: number,
  merchant: Wallet,
  address: string | null,
): Promise<boolean> {
  if (mail === null) return false;
  if (address !== null && (!isMailbox(address) || (await isRefused(db, merchant, address)))) return false;
  const to = address === null ? null : { address, kind: 'receipt' as const, again: false };
  return (await readLimit(db, mail, merchant, now, to)).waits === null;
}

const OF_RECEIPT = query('mail-of-receipt', (db, $: { merchant: Wallet; receiptId: string; kind: MailKind }) =>
  db
    .selectFrom('MailMessage')
    .select('state')
    .where('merchant', '=', $.merchant)
    .where('subjectId', '=', $.receiptId)
    .where('kind', '=', $.kind),
);

/** Where the message with a paid receipt is; null if there is none. */
export const receiptMailState = async (db: Db, merchant: Wallet, receiptId: string) =>
  (await db.run(OF_RECEIPT, { merchant, receiptId, kind: 'receipt' }))[0]?.state ?? null;
