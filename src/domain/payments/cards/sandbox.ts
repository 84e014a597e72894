import { randomBytes } from 'node:crypto';
import { type NotNull, sql } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import { payFromTestWallet } from '../../../base/chain/local.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { isLocalChain } from '../../../base/core/local-chains.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { type FailureCode, failureCatalogue } from '../../sales/receipts/failures.ts';
import { requireNothingOnItsWay } from '../../sales/receipts/on-its-way.ts';
import { isOpen } from './lifecycle.ts';
import type { OnrampProvider, ProviderEvent } from './provider.ts';
import { centsAtPar } from './stripe-request.ts';
import { type BeforeEvent, type EventDeps, takeProviderEvent } from './take-event.ts';

/**
 * The sandbox's fee: 3.5 % of the purchase, at least half a dollar. It exists so that totals differ as with a real
 * provider.
 */
const FEE_BPS = 350;
const FEE_LEAST_CENTS = 50;

/** The path of a session's sandbox page. */
export const sandboxPath = (sessionId: string): string => `/onramp/sandbox/${sessionId}`;

/**
 * The replacement for a card provider on the local chain: a page on which the user chooses the outcome. A session id
 * grants access to its page, so it is unguessable.
 */
export function sandboxProvider(baseUrl: string): OnrampProvider {
  return {
    name: 'sandbox',
    label: 'Sandbox Card Provider',
    opensInNewTab: false,
    async openSession({ amount, decimals }) {
      const sessionId = `cos_sandbox_${randomBytes(20).toString('hex')}`;
      const sourceAmountCents = centsAtPar(amount, decimals);
      const feeCents = Math.max(FEE_LEAST_CENTS, Math.ceil((sourceAmountCents * FEE_BPS) / 10_000));
      return {
        kind: 'opened',
        sessionId,
        url: baseUrl + sandboxPath(sessionId),
        sourceAmountCents,
        customerTotalCents: sourceAmountCents + feeCents,
      };
    },
  };
}

type SandboxDeps = EventDeps & Pick<Deps, 'db' | 'settings'>;

const buyerName = sql<string | null>`
  case when r.origin <> 'receipt'
       then nullif(concat_ws(' ', r.billing_address ->> 'firstName', r.billing_address ->> 'lastName'), '') end`;

const SESSION = query(
  'sandbox-session',
  (db, $: { sessionId: string }) =>
    db
      .selectFrom('OnrampSession as s')
      .innerJoin('Receipt as r', (join) =>
        join.onRef('r.merchant', '=', 's.merchant').onRef('r.id', '=', 's.receiptId'),
      )
      .select(['s.merchant', 's.receiptId', 's.providerSessionId as sessionId', 's.status', 's.failureCode', 's.token'])
      .select([
        's.chainId',
        's.payTo',
        's.amount',
        's.sourceAmountCents',
        's.customerTotalCents',
        's.redirectUrl',
        's.expiresAt',
      ])
      .select(['r.brandName as merchantName', 'r.origin', 'r.language', buyerName.as('buyerName')])
      .where('s.provider', '=', 'sandbox')
      .where('s.providerSessionId', '=', $.sessionId)
      // Known from the start in the sandbox.
      .$narrowType<{ customerTotalCents: NotNull; redirectUrl: NotNull }>(),
  { computed: { buyerName: 'text' } },
);

/**
 * A sandbox session for its page. Money in US cents, `amount` in base units. `buyerName` is also null if the caller
 * chose the receipt's id.
 */
export type SandboxSession = RowOf<typeof SESSION>;

/** Whether the sandbox is the card provider; it is available on the local chain only. */
export const hasSandbox = (chain: Chain, settings: Settings): boolean =>
  settings.onramp?.provider === 'sandbox' && isLocalChain(chain.chainId);

/** The session with this sandbox id; null if there is none. */
export async function findSandboxSession(db: Db, sessionId: string): Promise<SandboxSession | null> {
  const [session] = await db.run(SESSION, { sessionId });
  return session ?? null;
}

/** `pay`, or the code of a failure. */
type SandboxOutcome = 'pay' | FailureCode;

const isOutcome = (outcome: string): outcome is SandboxOutcome =>
  outcome === 'pay' || Object.hasOwn(failureCatalogue, outcome);

/**
 * Ends a sandbox session with the chosen outcome. `pay` charges no card and really transfers the USDC on the
 * local chain, from a test account to the split; a code fails the session. A session that has ended stays unchanged.
 * Refuses an unknown session with `not_found`, an unknown outcome with `invalid_input`, and with `payment_underway` to
 * charge a card while another payment of the receipt is on its way.
 */
export async function decideSandbox(deps: SandboxDeps, sessionId: string, outcome: string): Promise<SandboxSession> {
  const session = hasSandbox(deps.chain, deps.settings) ? await findSandboxSession(deps.db, sessionId) : null;
  if (!session) throw refuse('not_found', 'Card checkout not found');
  if (!isOutcome(outcome)) throw refuse('invalid_input', 'outcome must be pay or a failure code', { field: 'outcome' });
  if (!isOpen(session)) return session;
  const send = (event: Partial<ProviderEvent>, before?: BeforeEvent) =>
    takeProviderEvent(deps, 'sandbox', sessionId, { ...emptyEvent(deps.clock()), ...event }, before);
  const isFirst: BeforeEvent = (uow, receipt) => requireNothingOnItsWay(deps, uow, receipt);
  if (outcome !== 'pay') await send({ status: 'ended', failureCode: outcome });
  else if (await send({ id: 'charge', status: 'fulfillment_processing' }, isFirst)) await deliver(deps, session, send);
  return { ...session, ...(await findSandboxSession(deps.db, sessionId)) };
}

/** Of two concurrent clicks, only the one whose charge event was recorded delivers. */
async function deliver(
  deps: SandboxDeps,
  session: SandboxSession,
  send: (event: Partial<ProviderEvent>) => Promise<boolean>,
): Promise<void> {
  try {
    const amount = BigInt(session.amount);
    const { token, payTo: to, chainId } = session;
    const transactionHash = await payFromTestWallet(onChain(deps, chainId).chain, { token, to, amount });
    await send({ status: 'fulfillment_complete', transactionHash });
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
});
