import type { Caller } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import type { GatewayDeps, Strategy } from './strategy.ts';
import { bearerOf, isToken, openToken, signToken } from './tokens.ts';

/** How long a page may stay open before it must be reloaded. */
export const PAGE_TOKEN_MS = 2 * 3_600_000;

const DAY_MS = 24 * 3_600_000;

/** The subject of a page: one receipt, one plan, or the live users. */
export type PageSubject =
  | 'live'
  | {
      readonly merchant: Wallet;
      readonly receiptId: string;
      /** Whether the page's address can be guessed. */
      readonly readOnly?: boolean;
    }
  | { readonly merchant: Wallet; readonly planId: string };

/** Issues the token that a page gives to its script, valid for the page's subject only. `now` in epoch milliseconds. */
export function issuePageToken(settings: Pick<Settings, 'jwtSecret'>, subject: PageSubject, now: number): string {
  return signToken(settings, 'page', payloadOf(subject), { now, expiresAt: now + PAGE_TOKEN_MS });
}

/** A receipt that a token is made of; `createdAt` in epoch ms. */
interface Created {
  readonly merchant: Wallet;
  readonly id: string;
  readonly createdAt: number;
}

/**
 * The token with which a shop's page shows the payment page of a receipt in a frame. It opens this receipt only, for
 * one to two days: within a day of the receipt's life it is the same, because a repeated request has the same answer.
 */
export function checkoutToken(
  settings: Pick<Settings, 'jwtSecret'>,
  { merchant, id, createdAt }: Created,
  now: number,
): string {
  const since = createdAt + Math.floor(Math.max(0, now - createdAt) / DAY_MS) * DAY_MS;
  return signToken(settings, 'page', payloadOf({ merchant, receiptId: id }), {
    now: since,
    expiresAt: since + 2 * DAY_MS,
  });
}

/** The merchant of the receipt that a checkout token opens; null if it does not open this one. */
export async function merchantOfCheckout(settings: Settings, token: string, id: string, now: number) {
  const payload = isToken(token) ? await openToken(settings, 'page', token, now) : null;
  return payload?.about === 'receipt' && payload.sub === id ? parseWallet(payload.merchant) : null;
}

function payloadOf(subject: PageSubject) {
  if (subject === 'live') return { sub: 'live', about: 'live' };
  const { merchant } = subject;
  return 'planId' in subject
    ? { sub: subject.planId, merchant, about: 'plan' }
    : { sub: subject.receiptId, merchant, about: subject.readOnly ? 'receipt_read_only' : 'receipt' };
}

/** Identifies the holder of a page token in `Authorization: Bearer`. */
export const pageToken: Strategy = (deps, request) => {
  const bearer = bearerOf(request);
  return bearer === undefined || !isToken(bearer) ? null : holderOf(deps, bearer);
};

async function holderOf({ settings, clock }: GatewayDeps, bearer: string): Promise<Caller> {
  const payload = await openToken(settings, 'page', bearer, clock());
  if (payload?.about === 'live') return { kind: 'visitor' };
  const merchant = parseWallet(payload?.merchant);
  if (!payload?.sub || !merchant) throw refuse('unauthorized', 'The page token is invalid or expired: reload the page');
  if (payload.about === 'plan') return { kind: 'subscriber', merchant, planId: payload.sub };
  const buyer = { kind: 'buyer', merchant, receiptId: payload.sub } as const;
  return payload.about === 'receipt' ? buyer : { ...buyer, readOnly: true };
}
