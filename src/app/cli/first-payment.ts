import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Wallet } from '../../base/core/wallet.ts';
import { DESTINATIONS } from '../../base/outgoing/destinations.ts';
import { openFixedHost } from '../../base/outgoing/fixed-host.ts';
import { readConfig } from '../../base/platform/config/config.ts';
import { createQuittance, type Quittance } from '../../client/index.ts';
import { revokeKey } from '../../domain/access/keys/change-keys.ts';
import { issueKey } from '../../domain/access/keys/issue.ts';
import { requestRelease } from '../../domain/settlement/shares/request-release.ts';
import { findMerchant } from '../../domain/shop/merchants/find.ts';
import { registerMerchant } from '../../domain/shop/merchants/register.ts';
import { configureSplit } from '../../domain/shop/splits/configure.ts';
import { parseSplitInput } from '../../domain/shop/splits/split.input.ts';
import type { OpenDeps } from '../deps.ts';
import { walletOf, withDeps } from './open-deps.ts';

const CENTS = 100;
const DAY_MS = 86_400_000;
const POLL_MS = 2_000;
/** How often the release of the shares is asked for: it begins once the payment is final. */
const RELEASE_EVERY = 5;

interface FirstPaymentOptions {
  readonly wallet: string;
  readonly name: string;
  /** Whether settlement is asked to release the shares at once. */
  readonly release: boolean;
  /** The environment of the server; that of this process by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

type PaymentStatus = Awaited<ReturnType<Quittance['receipts']['status']>>;

/** The statuses of a payment in the words of the terminal. */
const MEANINGS: Readonly<Partial<Record<PaymentStatus['status'], string>>> = {
  generated: 'waits for the payment',
  pending: 'waits for the payment',
  tx_mined: 'the payment is in a block and waits for its confirmations',
  tx_mismatch: 'another amount has arrived: the page says what is missing',
  recipient_validated: 'paid: the shares of the recipients wait for their release',
  completed: 'completed: every recipient has its share',
};

/**
 * `quittance first-payment`: registers the shop unless it is there, orders for one dollar at the running server as a
 * shop does, and prints how the payment stands until it is completed.
 */
export async function firstPayment(options: FirstPaymentOptions): Promise<void> {
  const environment = options.environment ?? process.env;
  const wallet = walletOf(options.wallet);
  const { baseUrl, port } = readConfig(environment);
  const url = baseUrl ?? `http://localhost:${port}`;
  const send = openFixedHost(url);
  await untilHealthy(url, send);
  await withDeps(
    async (deps) => {
      await openShop(deps, wallet, options.name);
      const scopes = ['receipts:write', 'receipts:read'];
      const expiresAt = deps.clock() + DAY_MS;
      const key = await issueKey(deps, { merchant: wallet, scopes, label: 'first payment', expiresAt });
      try {
        const { timeoutMs } = DESTINATIONS.ownServer;
        const server = createQuittance({ url, key: key.key, fetch: send, timeoutMs });
        await payOneDollar(deps, server, { wallet, release: options.release });
      } finally {
        await revokeKey(deps, { id: key.id });
      }
    },
    { environment },
  );
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Waits until a server answers at its public address, through the proxy if there is one. */
async function untilHealthy(url: string, send: typeof fetch): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const reason = await send(`${url}/healthz`, { signal: AbortSignal.timeout(DESTINATIONS.ownServer.timeoutMs) }).then(
      ({ status }) => (status === 200 ? null : `it answers ${status}`),
      (error: Error) => ((error.cause as Error | undefined) ?? error).message,
    );
    if (reason === null) return;
    if (attempt === 0) say(`Waiting for the server at ${url}: ${reason}`);
    await pause(POLL_MS);
  }
}

/** Registers the merchant and configures its split, unless they are there. */
async function openShop(deps: OpenDeps, wallet: Wallet, name: string): Promise<void> {
  const known = await findMerchant(deps.db, wallet);
  const { name: registered } = known ?? (await registerMerchant(deps, { wallet, name }));
  const { split } = await configureSplit(deps, wallet, parseSplitInput({}));
  say(`Shop    ${registered} (${wallet})`);
  say(`Split   ${split.address}`);
}

async function payOneDollar(
  deps: OpenDeps,
  server: Quittance,
  { wallet, release }: { readonly wallet: Wallet; readonly release: boolean },
): Promise<void> {
  const id = `first-payment-${randomUUID()}`;
  const { paymentUrl } = await server.receipts.create({
    id,
    lineItems: [{ label: 'First payment', priceUsd: CENTS / 100 }],
    totalUsd: CENTS / 100,
  });
  say(`Pay     ${paymentUrl}`);
  let shown = '';
  for (let round = 0; ; round++) {
    const { status } = await server.receipts.status(id);
    const meaning = MEANINGS[status] ?? status;
    if (meaning !== shown) say(`${new Date().toISOString()}  ${meaning}`);
    shown = meaning;
    if (status === 'completed') return;
    if (status === 'failed' || status === 'refunded') throw new Error(`the payment ended as ${status}`);
    if (status === 'recipient_validated') {
      if (!release || deps.settings.settlementPrivateKey === null) return say(waitingFor(deps));
      if (round % RELEASE_EVERY === 0)
        await requestRelease(deps, { merchant: wallet, chainId: null, split: null, token: null });
    }
    await pause(POLL_MS);
  }
}

/** What releases the shares of a payment that is not followed further. */
function waitingFor({ settings: { settlementPrivateKey, settlement } }: OpenDeps): string {
  if (settlementPrivateKey === null)
    return 'Each recipient releases its share itself: SETTLEMENT_PRIVATE_KEY is not set.';
  const { maxCostPct } = settlement.sweeps;
  if (maxCostPct === null) return 'The server collects and releases the money.';
  return `The server collects and releases the money once that costs at most ${maxCostPct} % of it (SWEEP_MAX_COST_PCT).`;
}
