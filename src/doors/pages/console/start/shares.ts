import { numberFrom, numberText } from '../client/typed-number.ts';
import type { SharesFragment } from '../generated/start.ts';

type Recipient = SharesFragment['recipients'][number];

/** A further recipient as it is typed. */
export interface Row {
  readonly address: string;
  readonly percent: string;
}

const WHOLE_BPS = 10_000;
/** The platform’s share where the split does not say otherwise. */
const PLATFORM_BPS = 50;

/** Whether a typed text is an address. */
export const isWallet = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text.trim());

/** A share as it is typed, in basis points; null if it is none. */
export function bpsOf(percent: string): number | null {
  const value = numberFrom(percent, 'percent') ?? 0;
  const bps = Math.round(value * 100);
  return bps >= 1 && bps <= WHOLE_BPS && bps / 100 === value ? bps : null;
}

/** A share for a reader: `99.5 %`. */
export const percentText = (bps: number): string => `${Number((bps / 100).toFixed(2))} %`;

/** The further recipients of a split as they would be typed. */
export const rowsOf = (recipients: readonly Recipient[], merchant: string): Row[] =>
  recipients
    .filter(({ address, platform }) => !platform && address !== merchant)
    .map(({ address, sharesBps }) => ({ address, percent: numberText(sharesBps / 100, 'percent') }));

/** The platform’s share, unless the shop’s wallet is the platform’s too. It has one before there is a split. */
export function platformBps(recipients: readonly Recipient[], merchant: string): number {
  if (recipients.length === 0) return PLATFORM_BPS;
  return recipients.find((one) => isPlatform(one, merchant))?.sharesBps ?? 0;
}

const isPlatform = ({ platform, address }: Recipient, merchant: string): boolean => platform && address !== merchant;

/** What the rows leave for the shop’s own wallet, in basis points; negative if they are more than the whole. */
export const ownBps = (rows: readonly Row[], platform: number): number =>
  rows.reduce((rest, { percent }) => rest - (bpsOf(percent) ?? 0), WHOLE_BPS - platform);

/**
 * The recipients to request. The platform is named only if its share is not the usual one, because the server adds the
 * usual share itself.
 */
export function requestOf(rows: readonly Row[], merchant: string, before: readonly Recipient[]) {
  const platform = platformBps(before, merchant);
  const own = ownBps(rows, platform);
  const kept = platform === PLATFORM_BPS ? [] : before.filter((each) => isPlatform(each, merchant));
  return [
    ...(own > 0 ? [{ address: merchant, sharesBps: own }] : []),
    ...rows.map(({ address, percent }) => ({ address: address.trim(), sharesBps: bpsOf(percent) ?? 0 })),
    ...kept.map(({ address, sharesBps }) => ({ address, sharesBps })),
  ];
}

/** One recipient before and after a change, in basis points; 0 for none. */
export interface ShareChange {
  readonly address: string;
  readonly platform: boolean;
  readonly fromBps: number;
  readonly toBps: number;
}

/** What a request changes, with all recipients of before and after. The platform keeps what is not requested. */
export function afterChange(
  before: readonly Recipient[],
  requested: readonly { readonly address: string; readonly sharesBps: number }[],
): ShareChange[] {
  const left = WHOLE_BPS - requested.reduce((sum, { sharesBps }) => sum + sharesBps, 0);
  const toOf = (address: string) =>
    requested.find((one) => one.address.toLowerCase() === address.toLowerCase())?.sharesBps;
  const kept = before.map(({ address, platform, sharesBps }) => ({
    ...{ address, platform, fromBps: sharesBps },
    toBps: toOf(address) ?? (platform ? left : 0),
  }));
  const isKnown = (address: string) => before.some((one) => one.address.toLowerCase() === address.toLowerCase());
  const added = requested
    .filter(({ address }) => !isKnown(address))
    .map(({ address, sharesBps }) => ({ address, platform: false, fromBps: 0, toBps: sharesBps }));
  return [...kept, ...added];
}
