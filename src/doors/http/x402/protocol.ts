import { z } from 'zod';
import type { Authorization } from '../../../base/chain/authorizations.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';

/** The headers of x402 version 2 (https://github.com/x402-foundation/x402). Their values are JSON as base64. */
export const HEADERS = {
  required: 'PAYMENT-REQUIRED',
  signature: 'payment-signature',
  response: 'PAYMENT-RESPONSE',
} as const;

export const X402_VERSION = 2;

/** One way to pay: the scheme `exact` with an authorization (EIP-3009). */
export interface PaymentRequirements {
  readonly scheme: 'exact';
  /** CAIP-2, as in `eip155:8453`. */
  readonly network: `eip155:${number}`;
  /** Base units, as decimal text. */
  readonly amount: string;
  /** The token's contract. */
  readonly asset: Wallet;
  readonly payTo: Wallet;
  readonly maxTimeoutSeconds: number;
  /** The name and version of the token's signing domain. */
  readonly extra: { readonly name: string; readonly version: string; readonly assetTransferMethod: 'eip3009' };
}

/** What is asked for a resource. */
export interface PaymentRequired {
  readonly x402Version: typeof X402_VERSION;
  /** Why the payment of this request was not accepted. */
  readonly error?: string;
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string };
  readonly accepts: readonly PaymentRequirements[];
}

/** The result of a payment. */
export interface SettlementResponse {
  readonly success: boolean;
  readonly errorReason?: string;
  /** The transaction; empty if none was sent. */
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
}

const uint = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);
const address = z
  .string()
  .transform((text) => parseWallet(text))
  .refine((wallet) => wallet !== null)
  .transform((wallet) => wallet as Wallet);
const hex = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
  .transform((text) => text as `0x${string}`);

const payload = z.object({
  x402Version: z.literal(X402_VERSION),
  accepted: z.object({ scheme: z.literal('exact'), network: z.string(), asset: address }),
  payload: z.object({
    signature: hex,
    authorization: z.object({
      from: address,
      to: address,
      value: uint,
      validAfter: uint,
      validBefore: uint,
      nonce: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/)
        .transform((text) => text.toLowerCase() as `0x${string}`),
    }),
  }),
});

/** A payment as a client sends it. */
export interface PaymentPayload {
  readonly network: string;
  readonly asset: Wallet;
  readonly authorization: Authorization;
  readonly signature: `0x${string}`;
}

const UINT256_BITS = 256n;

/** Parses the header of a payment; null if it is not one of this version and scheme. */
export function parsePayment(header: string): PaymentPayload | null {
  const { success, data } = payload.safeParse(parseBase64(header));
  if (!success) return null;
  const { authorization, signature } = data.payload;
  const { value, validAfter, validBefore } = authorization;
  if ([value, validAfter, validBefore].some((number) => number >> UINT256_BITS > 0n)) return null;
  return { network: data.accepted.network, asset: data.accepted.asset, authorization, signature };
}

function parseBase64(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return null;
  }
}

/** A value for a header. */
export const encodeHeader = (value: PaymentRequired | SettlementResponse): string =>
  Buffer.from(JSON.stringify(value)).toString('base64');
