import { z } from 'zod';
import { wallet } from '../core/text.ts';

/** What asks for a challenge to sign. */
export const loginChallengeInput = z.object({ wallet });

/** A smart account's signature is long; what is longer than this is none. */
const SIGNATURE_MAX = 32_770;

/** What answers a challenge. */
export const loginInput = z.object({
  wallet,
  nonce: z
    .string({ error: 'must be the nonce of a challenge' })
    .regex(/^[A-Za-z0-9_-]{43}$/, { error: 'must be the nonce of a challenge' }),
  signature: z
    .string({ error: 'must be 0x followed by hex digits' })
    .max(SIGNATURE_MAX, { error: `must be at most ${SIGNATURE_MAX} characters` })
    .regex(/^0x(?:[0-9a-fA-F]{2})+$/, { error: 'must be 0x followed by hex digits' }),
});
