import { z } from 'zod';
import { optional } from '../../../base/core/input.ts';
import { ROLE_NAMES } from '../../../base/core/roles.ts';
import { label, wallet } from '../../../base/core/text.ts';

const role = z.enum(ROLE_NAMES);

/** Whom to invite. */
export const inviteInput = z.object({ role, label: optional(label) });

const IDS_MAX = 200;
const ids = z.array(z.string().max(100)).max(IDS_MAX, { error: `must have at most ${IDS_MAX} entries` });

/** What of a member's keys and endpoints is taken over, by id. */
export const keptInput = z.object({ keepKeys: optional(ids), keepEndpoints: optional(ids) });

/** The new role of a member. */
export const roleInput = z.object({ wallet, role });

/** The token of an invitation. */
export const tokenInput = z.object({
  token: z
    .string({ error: 'must be the token of an invitation' })
    .regex(/^qi_[A-Za-z0-9_-]{43}$/, { error: 'must be the token of an invitation' }),
});
