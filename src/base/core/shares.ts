import { refuse } from './errors.ts';
import { parseWallet, type Wallet, ZERO_WALLET } from './wallet.ts';

/** A whole payment, in basis points. */
export const BPS_TOTAL = 10_000;
/** The platform's smallest share of a payment: 0.5 %. */
export const PLATFORM_MIN_BPS = 50;
/** The largest number of recipients of a split. Each costs gas in every release. */
export const MAX_RECIPIENTS = 100;

export interface Recipient {
  readonly address: Wallet;
  /** Whole basis points, 1 to 10000. */
  readonly sharesBps: number;
}

/** The split that a caller requests. */
export interface RecipientRequest {
  readonly recipients?: readonly { readonly address: string; readonly sharesBps: number }[] | null;
  readonly merchant: Wallet;
  /** The platform's recipient; null where the operator has not set one. */
  readonly platform: Wallet | null;
}

/**
 * The recipients of a split, including the platform; the shares add up to 10000. Without requested recipients: merchant
 * 9950, platform 50 (one entry of 10000 if they are the same wallet). The platform may be listed with 50 or more, or
 * omitted if the others add up to 9950. A merchant that is the platform may list its wallet without the platform's
 * share: entries that add up to 9950 then give it 50 more.
 *
 * Throws `invalid_input`, naming the entry (`recipients[1].sharesBps`), for: more than 100 recipients, an invalid
 * address, the zero address, a duplicate, shares that are not whole numbers from 1 to 10000, a wrong sum. Throws
 * `platform_recipient_not_configured` if there is no platform recipient.
 */
export function resolveRecipients({ recipients, merchant, platform }: RecipientRequest): Recipient[] {
  const named = checkRecipients(recipients ?? []);
  if (!platform) throw refuse('platform_recipient_not_configured');
  if (named.length === 0) {
    if (merchant === platform) return [{ address: merchant, sharesBps: BPS_TOTAL }];
    return [
      { address: merchant, sharesBps: BPS_TOTAL - PLATFORM_MIN_BPS },
      { address: platform, sharesBps: PLATFORM_MIN_BPS },
    ];
  }
  return withPlatform(named, { merchant, platform });
}

function withPlatform(named: Recipient[], { merchant, platform }: { merchant: Wallet; platform: Wallet }): Recipient[] {
  const sumBps = named.reduce((sum, recipient) => sum + recipient.sharesBps, 0);
  const listed = named.findIndex((recipient) => recipient.address === platform);
  if (listed < 0) {
    if (sumBps === BPS_TOTAL - PLATFORM_MIN_BPS) return [...named, { address: platform, sharesBps: PLATFORM_MIN_BPS }];
    throw invalid('recipients', `add up to ${sumBps} without the platform's share: ${bothWays(platform)}`);
  }
  // Where the merchant is the platform, its wallet may be listed with the merchant's share alone.
  if (merchant === platform && sumBps === BPS_TOTAL - PLATFORM_MIN_BPS)
    return named.map((one, at) => (at === listed ? { ...one, sharesBps: one.sharesBps + PLATFORM_MIN_BPS } : one));
  if (named[listed]!.sharesBps < PLATFORM_MIN_BPS) {
    throw invalid(`recipients[${listed}].sharesBps`, `is the platform's and must be at least ${PLATFORM_MIN_BPS}`);
  }
  if (sumBps !== BPS_TOTAL) throw invalid('recipients', `must add up to ${BPS_TOTAL}; they add up to ${sumBps}`);
  return named;
}

function bothWays(platform: Wallet): string {
  return (
    `either list ${platform} with at least ${PLATFORM_MIN_BPS} and let all add up to ${BPS_TOTAL}, ` +
    `or leave it out and let the others add up to ${BPS_TOTAL - PLATFORM_MIN_BPS}`
  );
}

function checkRecipients(requested: NonNullable<RecipientRequest['recipients']>): Recipient[] {
  if (requested.length > MAX_RECIPIENTS) throw invalid('recipients', `must be at most ${MAX_RECIPIENTS}`);
  const seen = new Set<Wallet>();
  return requested.map(({ address: text, sharesBps }, i) => {
    const address = parseWallet(text);
    if (!address) throw invalid(`recipients[${i}].address`, 'must be 0x followed by 40 hex characters');
    if (address === ZERO_WALLET) throw invalid(`recipients[${i}].address`, 'must not be the zero address');
    if (seen.has(address)) throw invalid(`recipients[${i}].address`, 'is listed twice');
    seen.add(address);
    if (!(Number.isInteger(sharesBps) && sharesBps >= 1 && sharesBps <= BPS_TOTAL)) {
      throw invalid(`recipients[${i}].sharesBps`, `must be a whole number from 1 to ${BPS_TOTAL}`);
    }
    return { address, sharesBps };
  });
}

function invalid(field: string, sentence: string) {
  return refuse('invalid_input', `${field} ${sentence}`, { field });
}
