import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import { payFromTestWallet } from '../chain/local.ts';
import { refuse } from '../core/errors.ts';
import { newUuid } from '../core/ids.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { type FailureCode, failureCatalogue } from '../receipts/failures.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { ProviderEvent } from './provider.ts';
import type { SessionStatus } from './session.entity.ts';
import { OPEN_STATUSES } from './sessions.ts';
import { type EventDeps, takeProviderEvent } from './take-event.ts';

type SandboxDeps = EventDeps & Pick<Deps, 'settings' | 'sql'>;

/** A sandbox session for its page. Money in US cents. */
export interface SandboxSession {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly sessionId: string;
  readonly status: SessionStatus;
  readonly failureCode: FailureCode | null;
  readonly token: string;
  readonly payTo: Wallet;
  /** Base units. */
  readonly amount: string;
  readonly sourceAmountCents: number;
  readonly customerTotalCents: number;
  readonly redirectUrl: string;
  readonly expiresAt: number;
  readonly merchantName: string;
  readonly origin: ReceiptRow['origin'];
  /** Null also if the caller chose the receipt's id. */
  readonly buyerName: string | null;
}

const SESSION = statement(
  'sandbox-session',
  `select s.merchant, s.receipt_id as "receiptId", s.provider_session_id as "sessionId", s.status, s.failure_code as "failureCode", s.token, s.pay_to as "payTo",
          s.amount::text as amount, s.source_amount_cents as "sourceAmountCents", s.customer_total_cents as "customerTotalCents",
          s.redirect_url as "redirectUrl", s.expires_at as "expiresAt", r.brand_name as "merchantName",
          r.origin,
          case when r.origin <> 'receipt'
               then nullif(concat_ws(' ', r.billing_address ->> 'firstName', r.billing_address ->> 'lastName'), '') end as "buyerName"
     from onramp_sessions s join receipts r on r.merchant = s.merchant and r.id = s.receipt_id
    where s.provider = 'sandbox' and s.provider_session_id = $1`,
);

/** Whether the sandbox is the card provider; it is available on the local chain only. */
export const hasSandbox = ({ settings, chain }: Pick<Deps, 'settings' | 'chain'>): boolean =>
  settings.onramp?.provider === 'sandbox' && chain.chainId === LOCAL_CHAIN_ID;

/** The session with this sandbox id; null if there is none. */
export async function findSandboxSession(deps: Pick<Deps, 'sql'>, sessionId: string): Promise<SandboxSession | null> {
  const [session] = await deps.sql.rows<SandboxSession>(SESSION, [sessionId]);
  return session ?? null;
}

/** `pay`, or the code of a failure. */
export type SandboxOutcome = 'pay' | FailureCode;

const isOutcome = (outcome: string): outcome is SandboxOutcome =>
  outcome === 'pay' || Object.hasOwn(failureCatalogue, outcome);

/**
 * Ends a sandbox session with the chosen outcome. `pay` charges no card and really transfers the USDC on the
 * local chain, from a test account to the split; a code fails the session. A session that has ended stays unchanged.
 * Refuses an unknown session with `not_found` and an unknown outcome with `invalid_input`.
 */
export async function decideSandbox(deps: SandboxDeps, sessionId: string, outcome: string): Promise<SandboxSession> {
  const session = hasSandbox(deps) ? await findSandboxSession(deps, sessionId) : null;
  if (!session) throw refuse('not_found', 'Card checkout not found');
  if (!isOutcome(outcome)) throw refuse('invalid_input', 'outcome must be pay or a failure code', { field: 'outcome' });
  if (!OPEN_STATUSES.includes(session.status)) return session;
  const send = (event: Partial<ProviderEvent>) =>
    takeProviderEvent(deps, 'sandbox', sessionId, { ...emptyEvent(deps.clock()), ...event });
  if (outcome !== 'pay') await send({ status: 'ended', failureCode: outcome });
  else if (await send({ id: 'charge', status: 'fulfillment_processing' })) await deliver(deps, session, send);
  return { ...session, ...(await findSandboxSession(deps, sessionId)) };
}

/** Of two concurrent clicks, only the one whose charge event was recorded delivers. */
async function deliver(
  deps: SandboxDeps,
  session: SandboxSession,
  send: (event: Partial<ProviderEvent>) => Promise<boolean>,
): Promise<void> {
  try {
    const amount = BigInt(session.amount);
    const { token, payTo: to } = session;
    const transactionHash = await payFromTestWallet(deps.chain, { token, to, amount });
    await send({ status: 'fulfillment_complete', transactionHash, deliveredAmount: amount });
  } catch (error) {
    deps.log.warn({ err: error, sessionId: session.sessionId }, 'sandbox delivery failed');
    await send({ status: 'ended', failureCode: 'PORTAL_SYS_NETWORK_TIMEOUT' });
  }
}

const emptyEvent = (at: number): ProviderEvent => ({
  id: newUuid(),
  at,
  status: 'initialized',
  failureCode: null,
  sourceAmountCents: null,
  customerTotalCents: null,
  transactionHash: null,
  deliveredAmount: null,
});
