import type { Wallet } from '../../core/wallet.ts';
import type { Db } from '../../platform/db.ts';
import { query, type RowOf } from '../../platform/postgres/query.ts';
import type { PersonalData } from './audit-entry.entity.ts';
import { digestOfPersonal, FIRST_HASH, hashOf, standIn } from './canonical.ts';

const BATCH = 1_000;

const HEADS = query('audit-heads', (db, _: object) =>
  db.selectFrom('AuditHead').select(['merchant', 'position', 'hash']).orderBy('merchant'),
);
const OWNERS = query('audit-owners', (db, _: object) =>
  db.selectFrom('AuditEntry').select('merchant').distinct().orderBy('merchant'),
);
const ENTRIES = query('audit-verify', (db, $: { merchant: Wallet; after: number }) =>
  db
    .selectFrom('AuditEntry')
    .select(['merchant', 'position', 'at', 'actor', 'action', 'objectType', 'objectId', 'before', 'after'])
    .select(['personal', 'salt', 'personalDigest', 'previousHash', 'hash'])
    .where('merchant', '=', $.merchant)
    .where('position', '>', $.after)
    .orderBy('position')
    .limit(BATCH),
);
type Row = RowOf<typeof ENTRIES>;

/** The first place where a chain is broken. */
interface BrokenEntry {
  /** The number of the entry. */
  readonly number: number;
  readonly reason: string;
}

/** What was found out about a chain. */
export interface VerifiedChain {
  readonly merchant: Wallet;
  readonly entries: number;
  /** The hash of its last entry. */
  readonly head: string;
  readonly broken: BrokenEntry | null;
}

/** Verifies the chains of all merchants, or of one. */
export async function verifyChains(db: Db, merchant: Wallet | null): Promise<VerifiedChain[]> {
  const heads = await db.run(HEADS, {});
  const known = new Map(heads.map((head) => [head.merchant, head] as const));
  const owners = merchant === null ? (await db.run(OWNERS, {})).map((row) => row.merchant) : [merchant];
  const chains: VerifiedChain[] = [];
  for (const owner of new Set([...owners, ...(merchant === null ? known.keys() : [])])) {
    chains.push(await verifyChain(db, owner, known.get(owner) ?? null));
  }
  return chains;
}

async function verifyChain(
  db: Db,
  merchant: Wallet,
  head: { readonly position: number; readonly hash: string } | null,
): Promise<VerifiedChain> {
  let [position, hash] = [0, FIRST_HASH];
  for (let rows: Row[] | null = null; rows === null || rows.length === BATCH; ) {
    rows = await db.run(ENTRIES, { merchant, after: position });
    for (const row of rows) {
      const reason = faultOf(row, position + 1, hash);
      if (reason !== null) return { merchant, entries: position, head: hash, broken: { number: position + 1, reason } };
      position = row.position;
      hash = row.hash;
    }
  }
  const end = { position: head?.position ?? 0, hash: head?.hash ?? FIRST_HASH };
  const whole = end.position === position && end.hash === hash;
  const broken = whole
    ? null
    : { number: position + 1, reason: `the chain ends before its head, entry ${end.position}` };
  return { merchant, entries: position, head: hash, broken };
}

/** Why an entry cannot be the next of its chain; null if it is. */
function faultOf(row: Row, number: number, previousHash: string): string | null {
  if (row.position !== number) return 'it is missing';
  if (row.previousHash !== previousHash) return 'it does not follow the entry before it';
  if (hashOf(row) !== row.hash) return 'its content was changed';
  const { personal, salt, personalDigest } = row;
  const isPersonalWhole =
    personal === null || (digestOfPersonal(salt ?? '', personal) === personalDigest && areValuesWhole(personal));
  return isPersonalWhole ? null : 'its personal data was changed';
}

/** Whether each value is the one whose digest stands in its place. */
const areValuesWhole = ({ values = {}, valuesSalt }: PersonalData): boolean =>
  valuesSalt === undefined || Object.entries(values).every(([place, value]) => standIn(valuesSalt, value) === place);

const FIND = query('audit-entry-by-hash', (db, $: { merchant: Wallet; hash: string }) =>
  db.selectFrom('AuditEntry').select('position').where('merchant', '=', $.merchant).where('hash', '=', $.hash),
);

/** The number of the entry with a hash that the server once logged as the head of a chain; null if there is none. */
export async function entryWithHash(db: Db, merchant: Wallet, hash: string): Promise<number | null> {
  const [row] = await db.run(FIND, { merchant, hash });
  return row?.position ?? null;
}
