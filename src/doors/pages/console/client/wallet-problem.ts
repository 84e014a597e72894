import { connectFault, errorCode } from '../../client/wallet.ts';
import { words } from '../shared/words.ts';

/** The message for a wallet that could not be connected; null for other errors. */
export function connectProblem(error: unknown, chain: string): string | null {
  const fault = connectFault(error);
  return fault && (fault === 'elsewhere' ? words.wallet.elsewhere({ chain }) : words.wallet[fault]);
}

/** The merchant's message for an error of a wallet, or of what was done before it was asked. */
export function walletProblem(error: unknown, chainName: string): string {
  const code = errorCode(error);
  if (code === 4001) return words.wallet.declined;
  const connecting = connectProblem(error, chainName);
  if (connecting !== null) return connecting;
  const { message } = error as Error;
  // An error of ours has no code, and its text is meant for the merchant.
  if (code === 0 && message) return message;
  return /insufficient|exceeds.*balance/i.test(message) ? words.wallet.insufficient : words.wallet.failed;
}
