import '../graphql/scalars.ts';
import '../audit/schema.ts';
import '../merchants/schema.ts';
import '../merchants/pricing-schema.ts';
import '../keys/schema.ts';
import '../tax/schema.ts';
import '../catalog/schema.ts';
import '../splits/schema.ts';
import '../webhooks/schema.ts';
import '../webhooks/endpoints/schema.ts';
import '../receipts/schema.ts';
import '../statistics/schema.ts';
import '../attention/schema.ts';
import '../orders/schema.ts';
import '../quotes/schema.ts';
import '../orders/terminal-schema.ts';
import '../gasless/schema.ts';
import '../payments/schema.ts';
import '../settlement/schema.ts';
import '../payouts/schema.ts';
import '../refunds/schema.ts';
import '../onramp/schema.ts';
import '../plans/schema.ts';
import '../subscriptions/subscription-schema.ts';
import '../subscriptions/signing-schema.ts';
import '../charges/schema.ts';
import '../charges/charge-type.ts';
import '../receipt-search/schema.ts';
import '../subscriptions/event-schema.ts';
import '../events/schema.ts';
import '../users/schema.ts';
import '../billing/schema.ts';
import '../gateway/schema.ts';
import '../gateway/sessions-schema.ts';
import '../gateway/failed-requests-schema.ts';
import '../people/schema.ts';
import '../onboarding/schema.ts';
import '../operators/schema.ts';
import './status-schema.ts';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from '../graphql/builder.ts';

/** The schema of every endpoint. */
export const schema = builder.toSchema({ sortSchema: false });

/** The schema as text, as stored in `schema.graphql`. */
export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;
