import { newKey } from '../new-key.ts';
import { addressOf, createRequester, type QuittanceOptions } from '../request.ts';
import type { Answer } from '../routes.ts';

export interface ConnectOptions extends QuittanceOptions {
  /**
   * Names this shop among those of the merchant: 1 to 40 small letters, digits and hyphens. It must stay the same, also
   * when the shop moves.
   */
  readonly shop: string;
  /** The secret of the shop's webhook endpoint (`whsec_…`); several while one replaces another. */
  readonly webhookSecret?: string | readonly string[];
  /** Where buyers return to. */
  readonly returnUrl?: string;
}

/** The options in the environment of a shop, where {@link finishConnecting} has put them. Throws if one is missing. */
export function optionsFrom(env: Readonly<Record<string, string | undefined>>, shop: string): ConnectOptions {
  const required = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set: connect the shop first`);
    return value;
  };
  return {
    url: required('QUITTANCE_URL'),
    key: required('QUITTANCE_KEY'),
    webhookSecret: required('QUITTANCE_WEBHOOK_SECRET'),
    shop: env.QUITTANCE_SHOP || shop,
    returnUrl: env.QUITTANCE_RETURN_URL || undefined,
  };
}

/** A shop that asks for its key. */
export interface ShopToConnect {
  /** Shown to the merchant. */
  readonly name: string;
  /** Where the merchant's browser goes afterwards: https, or the machine itself. */
  readonly returnUrl: string;
  /** Where the shop gets its webhooks. */
  readonly webhookUrl: string;
}

/** What a shop keeps until the merchant has decided. The verifier is a secret. */
export interface Connecting {
  /** The page of the console to open in the merchant's browser. */
  readonly address: string;
  readonly state: string;
  readonly verifier: string;
}

/** Begins to ask the merchant of a server, in the console, for the key of a shop (PKCE). */
export async function beginConnecting(
  url: string,
  { name, returnUrl, webhookUrl }: ShopToConnect,
): Promise<Connecting> {
  const [state, verifier] = [newKey(), newKey() + newKey()];
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  const challenge = btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '');
  const asked = { name, return_url: returnUrl, webhook_url: webhookUrl, code_challenge: challenge, state };
  return { address: `${addressOf({ url }, '/console/connect')}?${new URLSearchParams(asked)}`, state, verifier };
}

/** The connection that a merchant has granted. */
export interface Connected {
  readonly merchantName: string;
  /** The variables that {@link optionsFrom} reads, to be kept secret. */
  readonly env: Readonly<Record<'QUITTANCE_URL' | 'QUITTANCE_KEY' | 'QUITTANCE_WEBHOOK_SECRET', string>>;
}

/**
 * Ends what was begun, with the address or the path that the merchant's browser came back to: once. Null if the
 * merchant has refused. Throws `RangeError` for an address that does not belong to this request.
 */
export async function finishConnecting(
  url: string,
  { state, verifier: codeVerifier }: Pick<Connecting, 'state' | 'verifier'>,
  returnedTo: string,
): Promise<Connected | null> {
  const returned = new URL(returnedTo, url).searchParams;
  if (returned.get('state') !== state) throw new RangeError('This address belongs to another request');
  const code = returned.get('code');
  if (code === null) return null;
  const body = { code, codeVerifier };
  const { apiKey, webhookSecret, merchantName, baseUrl } = await createRequester({ url }).send<
    Answer<'exchangeConnectCode'>
  >({ method: 'POST', path: '/api/connect/token', body, safe: false });
  const env = { QUITTANCE_URL: baseUrl, QUITTANCE_KEY: apiKey, QUITTANCE_WEBHOOK_SECRET: webhookSecret! };
  return { merchantName, env };
}
