import { randomBytes } from 'node:crypto';
import type { Session } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { isOwnHost } from './csrf.ts';
import { LOGIN_NONCE_COLUMNS, type LoginNonce } from './session.entity.ts';

/** The lifetime of a challenge. */
export const NONCE_MS = 5 * 60_000;

/** The data that a wallet must sign (EIP-712), and the nonce to send with the signature. */
export interface Challenge<Data> {
  readonly nonce: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** In the form of `eth_signTypedData_v4`: plain JSON, including the domain's own type. */
  readonly typedData: Data;
}

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
] as const;

const FIELDS = [
  { name: 'statement', type: 'string' },
  { name: 'wallet', type: 'address' },
  { name: 'host', type: 'string' },
  { name: 'nonce', type: 'string' },
  { name: 'issuedAt', type: 'uint256' },
  { name: 'expiresAt', type: 'uint256' },
] as const;

interface TypedData<Name extends string> {
  readonly domain: { readonly name: 'Quittance'; readonly version: '1'; readonly chainId: number };
  readonly types: { readonly EIP712Domain: typeof DOMAIN } & { readonly [Type in Name]: typeof FIELDS };
  readonly primaryType: Name;
  readonly message: LoginFacts & { readonly statement: string };
}

export type LoginTypedData = TypedData<'Login'>;
type ConfirmTypedData = TypedData<'Confirmation'>;

export type LoginChallenge = Challenge<LoginTypedData>;

/** The values that a challenge is bound to. Times in epoch milliseconds. */
export type LoginFacts = Readonly<Omit<LoginNonce, 'sessionId'>>;

/** The typed data of a challenge. Deterministic, so that it can be rebuilt to verify the signature. */
export function loginTypedData(chainId: number, facts: LoginFacts): LoginTypedData {
  return {
    domain: { name: 'Quittance', version: '1', chainId },
    types: { EIP712Domain: DOMAIN, Login: FIELDS },
    primaryType: 'Login',
    message: { statement: `Sign in at ${facts.host}. This costs nothing and moves nothing.`, ...messageOf(facts) },
  };
}

/** The typed data that confirms a session. Its type is not that of a login, so that neither serves as the other. */
export function confirmTypedData(chainId: number, facts: LoginFacts): ConfirmTypedData {
  return {
    domain: { name: 'Quittance', version: '1', chainId },
    types: { EIP712Domain: DOMAIN, Confirmation: FIELDS },
    primaryType: 'Confirmation',
    message: {
      statement: `Confirm at ${facts.host} that you are changing money or rights of your shop. This costs nothing.`,
      ...messageOf(facts),
    },
  };
}

const messageOf = ({ wallet, host, nonce, issuedAt, expiresAt }: LoginFacts): LoginFacts => ({
  wallet,
  host,
  nonce,
  issuedAt,
  expiresAt,
});

const INSERT = query('login-nonce-insert', (db, $: LoginFacts & { sessionId: string | null }) =>
  db.insertInto('LoginNonce').values({
    ...{ nonce: $.nonce, wallet: $.wallet, host: $.host, issuedAt: $.issuedAt, expiresAt: $.expiresAt },
    sessionId: $.sessionId,
  }),
);

/** Uses up a challenge. Null if there is none with this nonce. */
const USE = query('login-nonce-use', (db, $: { nonce: string }) =>
  db.deleteFrom('LoginNonce').where('nonce', '=', $.nonce).returning(LOGIN_NONCE_COLUMNS),
);

/**
 * Creates a login challenge for a wallet at this host, valid once and for five minutes.
 *
 * Errors: `forbidden` if the Host header is not this site's. A relay that sends this site's Host still gets a
 * challenge: wallets do not compare its text with the page that asks for the signature.
 */
export async function issueLoginChallenge(deps: ChallengeDeps, wallet: Wallet, host: string): Promise<LoginChallenge> {
  const { facts, chainId } = await issue(deps, { wallet, host, sessionId: null });
  return { nonce: facts.nonce, expiresAt: facts.expiresAt, typedData: loginTypedData(chainId, facts) };
}

/** Creates the challenge that confirms a session, valid once and for five minutes. Refuses like a login's. */
export async function issueConfirmChallenge(
  deps: ChallengeDeps,
  { wallet, sessionId }: Pick<Session, 'wallet' | 'sessionId'>,
  host: string,
): Promise<Challenge<ConfirmTypedData>> {
  const { facts, chainId } = await issue(deps, { wallet, host, sessionId });
  return { nonce: facts.nonce, expiresAt: facts.expiresAt, typedData: confirmTypedData(chainId, facts) };
}

type ChallengeDeps = Pick<Deps, 'db' | 'clock' | 'settings'>;

async function issue(
  { db, clock, settings }: ChallengeDeps,
  { wallet, host, sessionId }: Pick<LoginNonce, 'wallet' | 'host' | 'sessionId'>,
): Promise<{ facts: LoginFacts; chainId: number }> {
  if (!isOwnHost(settings, host)) throw refuse('forbidden', `Sign in at ${settings.baseUrl}`);
  const issuedAt = clock();
  const nonce = randomBytes(32).toString('base64url');
  const facts: LoginFacts = { wallet, host, nonce, issuedAt, expiresAt: issuedAt + NONCE_MS };
  await db.run(INSERT, { ...facts, sessionId });
  return { facts, chainId: settings.chainId };
}

/** What a challenge must have been issued for. */
type Expected = Pick<LoginNonce, 'wallet' | 'host' | 'sessionId'>;

/**
 * Uses up a challenge, whatever it was issued for. Null if there is none with this nonce that is valid and was issued
 * for the same.
 */
export async function takeChallenge(
  db: Db,
  now: number,
  nonce: string,
  { wallet, host, sessionId }: Expected,
): Promise<LoginFacts | null> {
  const [facts] = await db.run(USE, { nonce });
  if (!facts || facts.expiresAt <= now) return null;
  return facts.wallet === wallet && facts.host === host && facts.sessionId === sessionId ? facts : null;
}
