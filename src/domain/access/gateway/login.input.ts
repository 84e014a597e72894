import { z } from 'zod';
import { wallet } from '../../../base/core/text.ts';

/** The input of a login challenge. */
export const loginChallengeInput = z.object({ wallet });

/** The longest accepted signature. Signatures of smart accounts are long. */
const SIGNATURE_MAX = 32_770;

/** The signed answer to a challenge. */
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

/** The signed answer to the challenge of a session. */
export const confirmInput = loginInput.omit({ wallet: true });

export type LoginInput = z.output<typeof loginInput>;
