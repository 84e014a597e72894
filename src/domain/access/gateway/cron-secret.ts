import type { Scheduler } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { sameSecret } from '../../../base/platform/secrets.ts';
import { headerOf } from './request.ts';
import type { Strategy } from './strategy.ts';

const SCHEDULER: Scheduler = { kind: 'scheduler' };

/** Identifies the operator’s scheduler by `x-cron-secret`. */
export const cronSecret: Strategy = ({ settings }, request) => {
  const given = headerOf(request, 'x-cron-secret');
  if (given === undefined) return null;
  if (!sameSecret(given, settings.cronSecret)) throw refuse('unauthorized', 'Invalid cron secret');
  return SCHEDULER;
};

/** The paths for the operator’s scheduler only. */
const SCHEDULER_PATHS: ReadonlySet<string> = new Set(['/api/subscriptions/charge', '/api/cron/charge-subscriptions']);

/**
 * The same before any other proof, if the secret is correct and the path accepts nothing else: the operator’s scheduler
 * may come through a gateway that adds a key.
 */
export const schedulerSecret: Strategy = ({ settings }, request) => {
  const given = SCHEDULER_PATHS.has(request.path) ? headerOf(request, 'x-cron-secret') : undefined;
  return given !== undefined && sameSecret(given, settings.cronSecret) ? SCHEDULER : null;
};
