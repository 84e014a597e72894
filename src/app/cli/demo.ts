import { createHash } from 'node:crypto';
import { giveTestTokens } from '../../base/chain/local.ts';
import { localAccount } from '../../base/chain/local-accounts.ts';
import { parseInput } from '../../base/core/input.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import { SCOPES } from '../../base/core/scopes.ts';
import type { Wallet } from '../../base/core/wallet.ts';
import { issueKey } from '../../domain/access/keys/issue.ts';
import { listKeys } from '../../domain/access/keys/list.ts';
import { signingKey } from '../../domain/access/keys/signing.ts';
import { listLeaders } from '../../domain/people/users/find.ts';
import { importUsers } from '../../domain/people/users/import.ts';
import { plansOf } from '../../domain/recurring/plans/read-plans.ts';
import { createPlan } from '../../domain/recurring/plans/save-plan.ts';
import { itemInput } from '../../domain/shop/catalog/item.input.ts';
import { saveItem } from '../../domain/shop/catalog/write-item.ts';
import { findMerchant } from '../../domain/shop/merchants/find.ts';
import { registerMerchant } from '../../domain/shop/merchants/register.ts';
import { shopInput } from '../../domain/shop/merchants/shop.input.ts';
import { writeShop } from '../../domain/shop/merchants/write-shop.ts';
import { configureSplit } from '../../domain/shop/splits/configure.ts';
import { jurisdictionInput } from '../../domain/shop/tax/jurisdiction.input.ts';
import { saveJurisdiction } from '../../domain/shop/tax/write-jurisdictions.ts';
import type { OpenDeps } from '../deps.ts';

const LABEL = 'demo';
/** A whole refund is more than the merchant's share of the payment. */
const OWN_UNITS = 1_000n;
const HOOK_PORT = 4100;

const SHOP = {
  name: 'Kaldi Coffee Roasters',
  description: 'Small-batch coffee and the things to make it with.',
  processingFeePct: 1.5,
  theme: { primaryColor: '#1f5c4d' },
  setupComplete: true,
};

const JURISDICTION = {
  code: 'US-CA-LA',
  displayName: 'Los Angeles, California',
  components: [
    { code: 'state', rate: 0.06 },
    { code: 'county', rate: 0.0025 },
    { code: 'district', rate: 0.0325 },
  ],
};

/** What both demo merchants sell. */
export const ITEMS = [
  {
    sku: 'ESPRESSO-250',
    name: 'Espresso beans, 250 g',
    priceUsd: 14.5,
    stockQty: -1,
    taxable: false,
    category: 'Coffee',
    tags: ['beans'],
  },
  {
    sku: 'FILTER-250',
    name: 'Filter beans, 250 g',
    priceUsd: 13.25,
    stockQty: 400,
    taxable: false,
    category: 'Coffee',
    tags: ['beans'],
  },
  {
    sku: 'MUG-STONE',
    name: 'Stoneware mug',
    priceUsd: 24,
    stockQty: 120,
    taxable: true,
    category: 'Ware',
    tags: ['gift'],
  },
  {
    sku: 'GRINDER-M1',
    name: 'Hand grinder M1',
    priceUsd: 89,
    stockQty: 35,
    taxable: true,
    category: 'Ware',
    tags: ['gift'],
  },
];

const PLAN = {
  name: 'Coffee club',
  description: 'A new roast at your door, every month.',
  priceCents: 1800,
  period: 'MONTHLY',
} as const;

/** The demo merchant of a local chain. */
interface Demo {
  readonly merchant: Wallet;
  readonly key: string;
  readonly planId: string;
}

/**
 * Creates the demo merchant with shop, catalog, tax, split, key and test tokens where they are missing. Later changes
 * are kept.
 */
export async function prepareDemo(deps: OpenDeps): Promise<Demo> {
  const merchant = localAccount('demoMerchant').address;
  if (!(await findMerchant(deps.db, merchant))) {
    await registerMerchant(deps, { wallet: merchant, name: SHOP.name });
    await writeShop(deps, merchant, parseInput(shopInput, SHOP));
    for (const item of ITEMS) await saveItem(deps, merchant, parseInput(itemInput, item));
    await saveJurisdiction(deps, merchant, parseInput(jurisdictionInput, JURISDICTION));
    await configureSplit(deps, merchant, {});
    const local = deps.chains.filter(({ chainId }) => isLocalChain(chainId));
    await Promise.all(local.map((chain) => giveTestTokens(chain, merchant, OWN_UNITS)));
  }
  await prepareUsers(deps);
  return { merchant, key: await demoKey(deps, merchant), planId: await demoPlan(deps, merchant) };
}

/** The demo's key can be shown again because keys are stored, encrypted, for signing. */
async function demoKey(deps: OpenDeps, merchant: Wallet): Promise<string> {
  const known = (await listKeys(deps.db, merchant)).find(
    ({ label, revokedAt }) => label === LABEL && revokedAt === null,
  );
  if (known) return signingKey(deps.db, deps.settings, known.id);
  return (await issueKey(deps, { merchant, scopes: [...SCOPES], label: LABEL })).key;
}

async function demoPlan(deps: OpenDeps, merchant: Wallet): Promise<string> {
  const [first] = await plansOf(deps.db, merchant, { inactive: true }).read({ limit: 1 });
  return (first?.row ?? (await createPlan(deps, merchant, PLAN))).id;
}

/** The addresses of the walkthrough's server and chain. */
interface WalkPlaces {
  readonly url: string;
  /**
   * The local chain's JSON-RPC URL, for a wallet's network entry. Null on any other chain, whose URL may contain a
   * secret.
   */
  readonly localRpcUrl: string | null;
  readonly chainId: number;
}

/** The walkthrough from an order to its webhook, as commands to copy. */
export function walk({ merchant, key, planId }: Demo, { url, localRpcUrl, chainId }: WalkPlaces): string {
  return `
  Quittance is running at ${url}

  Demo merchant   ${merchant}
  Demo key        ${key}
  Console         ${url}/console
  API reference   ${url}/docs
  GraphiQL        ${url}/api/graphql
  A plan's page   ${url}/subscribe/${planId}
  Who is live     ${url}/live
  Chain id        ${chainId}${localRpcUrl ? `\n  RPC URL         ${localRpcUrl}` : ''}

  Try it:

  1. Receive webhooks, in a second terminal:
     QUITTANCE_KEY=${key} npx quittance webhook listen --port ${HOOK_PORT}

  2. Create an order:
     curl -s ${url}/api/orders -H 'Content-Type: application/json' \\
       -H 'Ocp-Apim-Subscription-Key: ${key}' \\
       -d '{"items":[{"sku":"MUG-STONE","qty":2},{"sku":"ESPRESSO-250","qty":1}],"jurisdictionCode":"US-CA-LA","webhookUrl":"http://127.0.0.1:${HOOK_PORT}/"}'

  3. Open the paymentUrl of the answer in a browser. The answer's receiptId is used in step 5.

  4. Pay: with a browser wallet, by a transfer from any other wallet, or with the page's test wallet.

  5. Watch it arrive: on the page, in the second terminal, and here:
     curl -s '${url}/api/receipts/status?receiptId=<receiptId>' -H 'Ocp-Apim-Subscription-Key: ${key}'

  6. Find users: curl -s '${url}/api/users/search?languages=en' -H 'Ocp-Apim-Subscription-Key: ${key}'

  Ctrl-C stops everything; all of it is there again after the next start.

`;
}

/** Name, XP, interests, platforms and languages. */
const USERS: readonly (readonly [string, number, string[], string[], string[]])[] = [
  ['Amara Okafor', 9_120, ['roasting', 'cupping'], ['web', 'youtube'], ['en', 'ig']],
  ['Björn Lindqvist', 8_475, ['brewing'], ['web'], ['sv', 'en']],
  ['Chiara Bianchi', 7_930, ['espresso', 'latte art'], ['twitch'], ['it', 'en']],
  ['Daniel Haile', 7_310, ['farming', 'roasting'], ['web'], ['am', 'en']],
  ['Elif Demir', 6_640, ['brewing', 'pottery'], ['youtube'], ['tr', 'de']],
  ['Farid Rahmani', 5_880, ['grinders'], ['web'], ['fa', 'fr']],
  ['Grace Kim', 5_205, ['espresso'], ['twitch', 'web'], ['ko', 'en']],
  ['Hugo Moreau', 4_390, ['pottery'], ['web'], ['fr']],
  ['Ines Carvalho', 3_615, ['farming'], ['youtube'], ['pt', 'es']],
  ['Jun Tanaka', 2_940, ['brewing', 'grinders'], ['twitch'], ['ja']],
  ['Katya Morozova', 1_870, ['latte art'], ['web'], ['uk', 'en']],
  ['Luis Ortega', 920, ['farming', 'cupping'], ['web', 'youtube'], ['es']],
];

/** Imports a few users for the search, if there are none. */
async function prepareUsers(deps: OpenDeps): Promise<void> {
  if ((await listLeaders(deps.db, 1)).length > 0) return;
  const lines = USERS.map(([displayName, xp, domains, platforms, languages]) => {
    const wallet = `0x${createHash('sha256').update(displayName).digest('hex').slice(0, 40)}`;
    return JSON.stringify({ wallet, displayName, xp, domains, platforms, languages });
  });
  await importUsers(
    deps,
    (async function* () {
      yield Buffer.from(lines.join('\n'));
    })(),
  );
}
