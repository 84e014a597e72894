import type { Internal } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { sameSecret } from '../platform/secrets.ts';
import { headerOf } from './request.ts';
import type { Strategy } from './strategy.ts';

const INTERNAL: Internal = { kind: 'internal' };

/** Identifies the operator’s scheduler by `x-cron-secret`. */
export const cronSecret: Strategy = ({ settings }, request) => {
  const given = headerOf(request, 'x-cron-secret');
  if (given === undefined) return null;
  if (!sameSecret(given, settings.cronSecret)) throw refuse('unauthorized', 'Invalid cron secret');
  return INTERNAL;
};

/** The paths for the operator’s scheduler only. */
const TIMER_PATHS: ReadonlySet<string> = new Set(['/api/subscriptions/charge', '/api/cron/charge-subscriptions']);

/**
 * The same before any other proof, if the secret is correct and the path accepts nothing else: the operator’s scheduler
 * may come through a gateway that adds a key.
 */
export const timerSecret: Strategy = ({ settings }, request) => {
  const given = TIMER_PATHS.has(request.path) ? headerOf(request, 'x-cron-secret') : undefined;
  return given !== undefined && sameSecret(given, settings.cronSecret) ? INTERNAL : null;
};
