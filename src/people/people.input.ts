import { z } from 'zod';
import { optional } from '../core/input.ts';
import { ROLE_NAMES } from '../core/roles.ts';
import { label, wallet } from '../core/text.ts';

const role = z.enum(ROLE_NAMES);

/** Whom to invite. */
export const inviteInput = z.object({ role, label: optional(label) });

/** The new role of a member. */
export const roleInput = z.object({ wallet, role });

/** The token of an invitation. */
export const tokenInput = z.object({
  token: z
    .string({ error: 'must be the token of an invitation' })
    .regex(/^qi_[A-Za-z0-9_-]{43}$/, { error: 'must be the token of an invitation' }),
});
