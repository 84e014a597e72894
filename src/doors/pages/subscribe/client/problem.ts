import { ApiError, problemText } from '../../client/graphql.ts';
import { connectProblem, errorCode } from '../../client/wallet.ts';

/** The customer's message for an error of the API, of the wallet, or of the page itself. */
export function explain(error: unknown, chainName: string): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof PageProblem) return error.message;
  const code = errorCode(error);
  const text = String((error as { message?: string } | null)?.message ?? '');
  if (code === 4001 || /user (rejected|denied)/i.test(text))
    return 'You declined the request in your wallet. Nothing has changed; you can try again at any time.';
  if (/insufficient|exceeds (the )?balance/i.test(text))
    return 'There is not enough in this wallet for the network fee. Nothing was sent.';
  if (error instanceof TypeError) return problemText(error);
  return connectProblem(error, chainName) ?? 'Your wallet reported an error. Nothing has changed; please try again.';
}

/** A problem found by the page itself, with the customer's message. */
export class PageProblem extends Error {}
