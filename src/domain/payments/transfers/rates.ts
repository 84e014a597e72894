import type { Context } from '../../../base/graphql/context.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';

/** Adds the current rates to the request context, to price tokens. */
export const withRates = (context: Context) => ({ ...context, readRate: configuredRates(context) });
