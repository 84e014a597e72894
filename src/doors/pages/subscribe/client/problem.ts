import type { Words } from '../../../../base/core/messages/fill.ts';
import { ApiError } from '../../client/graphql.ts';
import { refusalText } from '../../client/refusal-text.ts';
import { connectFault, errorCode } from '../../client/wallet.ts';
import type { Say } from '../stage.ts';

/** The customer's message for an error of the API, of the wallet, or of the page itself. */
export function explain(say: Say, sayWallet: Words<'wallet'>, error: unknown, chainName = say('network.any')): string {
  if (error instanceof PageProblem) return error.message;
  if (error instanceof ApiError) return refusal(say, sayWallet, error);
  const code = errorCode(error);
  const text = String((error as { message?: string } | null)?.message ?? '');
  if (code === 4001 || /user (rejected|denied)/i.test(text)) return say('problem.declined');
  if (/insufficient|exceeds (the )?balance/i.test(text)) return say('problem.fee');
  if (error instanceof TypeError) return sayWallet('unreachable');
  const fault = connectFault(error);
  if (fault === 'elsewhere') return sayWallet('elsewhere', { chain: chainName });
  return fault ? sayWallet(fault) : say('problem.other');
}

/** What the page says for the codes of the API. */
const SAID = { invalid_signature: 'problem.signature', plan_not_found: 'closed.text' } as const;

function refusal(say: Say, sayWallet: Words<'wallet'>, { code, message }: ApiError): string {
  // The API's own sentence says more.
  if (say.language === 'en' && message) return message;
  return code in SAID ? say(SAID[code as keyof typeof SAID]) : refusalText(sayWallet, code);
}

/** A problem found by the page itself, with the customer's message. */
export class PageProblem extends Error {}
