import { randomBytes } from 'node:crypto';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import { isOwnHost } from './csrf.ts';
import type { LoginNonce } from './session.entity.ts';

/** The lifetime of a challenge. */
export const NONCE_MS = 5 * 60_000;

/** The data that a wallet must sign (EIP-712), and the nonce to send with the signature. */
export interface LoginChallenge {
  readonly nonce: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** In the form of `eth_signTypedData_v4`: plain JSON, including the domain's own type. */
  readonly typedData: LoginTypedData;
}

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  Login: [
    { name: 'statement', type: 'string' },
    { name: 'wallet', type: 'address' },
    { name: 'host', type: 'string' },
    { name: 'nonce', type: 'string' },
    { name: 'issuedAt', type: 'uint256' },
    { name: 'expiresAt', type: 'uint256' },
  ],
} as const;

export interface LoginTypedData {
  readonly domain: { readonly name: 'Quittance'; readonly version: '1'; readonly chainId: number };
  readonly types: typeof types;
  readonly primaryType: 'Login';
  readonly message: LoginFacts & { readonly statement: string };
}

/** The values that a challenge is bound to. Times in epoch milliseconds. */
export type LoginFacts = Readonly<LoginNonce>;

/** The typed data of a challenge. Deterministic, so that it can be rebuilt to verify the signature. */
export function loginTypedData(chainId: number, facts: LoginFacts): LoginTypedData {
  return {
    domain: { name: 'Quittance', version: '1', chainId },
    types,
    primaryType: 'Login',
    message: { statement: `Sign in at ${facts.host}. This costs nothing and moves nothing.`, ...facts },
  };
}

const INSERT = query('login-nonce-insert', (db, $: LoginFacts) =>
  db
    .insertInto('LoginNonce')
    .values({ nonce: $.nonce, wallet: $.wallet, host: $.host, issuedAt: $.issuedAt, expiresAt: $.expiresAt }),
);

/**
 * Creates a login challenge for a wallet at this host, valid once and for five minutes.
 *
 * Errors: `forbidden` if the Host header is not this site's. A relay that sends this site's Host still gets a
 * challenge: wallets do not compare its text with the page that asks for the signature.
 */
export async function issueLoginChallenge(
  { sql, clock, settings }: Pick<Deps, 'sql' | 'clock' | 'settings'>,
  wallet: Wallet,
  host: string,
): Promise<LoginChallenge> {
  if (!isOwnHost(settings, host)) throw refuse('forbidden', `Sign in at ${settings.baseUrl}`);
  const issuedAt = clock();
  const expiresAt = issuedAt + NONCE_MS;
  const nonce = randomBytes(32).toString('base64url');
  const facts: LoginFacts = { wallet, host, nonce, issuedAt, expiresAt };
  await sql.run(INSERT, facts);
  return { nonce, expiresAt, typedData: loginTypedData(settings.chainId, facts) };
}
