import type { Wallet } from '../../../base/core/wallet.ts';
import type { Place } from './place-walk.ts';

/** A payee of a split in a token: what one release pays. */
export interface Payee extends Place {
  readonly payee: Wallet;
}

/** The subject of a release among the transactions of the lane: `split/token/payee`. */
export const releaseSubject = ({ split, token, payee }: Payee): string => `${split}/${token}/${payee}`;

/** The payee that a subject names. */
export function parseReleaseSubject(subjectId: string): Payee {
  const [split, token, payee] = subjectId.split('/') as [Wallet, string, Wallet];
  return { split, token, payee };
}
