import type { Words } from '../../../base/core/messages/fill.ts';

/** The words for a refusal of the API that a page has no words of its own for. The API's own sentence is English. */
export function refusalText(say: Words<'wallet'>, code: string): string {
  if (code === 'merchant_suspended') return say('suspended');
  if (code === 'rate_limited') return say('tooMany');
  return say(code === 'failed' || code.endsWith('_unavailable') ? 'away' : 'refused');
}
