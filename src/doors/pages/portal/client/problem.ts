import { ApiError } from '../../client/graphql.ts';
import { refusalText } from '../../client/refusal-text.ts';
import type { PortalPage } from './view.ts';

/** What the page says for the codes of the API. A request may be repeated after one of the others. */
const SAID = {
  receipt_ended: 'now.ended',
  payment_underway: 'not.payment_underway',
  authorization_refused: 'not.signed',
  authorization_used: 'not.signed',
  gasless_unavailable: 'not.signed',
} as const;

/** The buyer's message for an error of `PortalApi`, in the language of the page. */
export function problemText({ say, sayWallet }: PortalPage, error: unknown): string {
  if (!(error instanceof ApiError)) return sayWallet('unreachable');
  const { code } = error;
  if (code in SAID) return say(SAID[code as keyof typeof SAID]);
  return refusalText(sayWallet, code);
}
