import { configuredRates } from '../fx/usd-per-token.ts';
import type { Context } from '../graphql/context.ts';

/** Adds the current rates to the request context, to price tokens. */
export const withRates = (context: Context) => ({ ...context, readRate: configuredRates(context) });
