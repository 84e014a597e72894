import { z } from 'zod';
import { optional } from '../../../base/core/input.ts';
import { text, wallet } from '../../../base/core/text.ts';
import { MAX_METRIC, spaceUrl, userInput } from './user.input.ts';

const XP_WANTED = 'must be a number of at least 0';
const MILLIS_WANTED = 'must be a whole number of epoch milliseconds';
const millis = optional(z.int({ error: MILLIS_WANTED }).min(0, { error: MILLIS_WANTED }));

/** One line of an import. Fields that are omitted or null keep their value. */
export const userLine = userInput.extend({
  wallet,
  xp: optional(
    z.number({ error: XP_WANTED }).min(0, { error: XP_WANTED }).max(1e15, { error: 'must be at most 1e15' }),
  ),
  live: optional(z.boolean()),
  spacePublic: optional(z.boolean()),
  spaceUrl: optional(spaceUrl),
  platform: optional(text(MAX_METRIC)),
  liveSince: millis,
  lastSeen: millis,
  lastHeartbeat: millis,
  createdAt: millis,
});

export type UserLine = z.output<typeof userLine>;
