import { KIND_PATTERNS } from '../../../domain/webhooks/events/kinds.ts';

/** Fields of type String in the GraphQL schema that have a fixed set of values, which are no names in GraphQL. */
export const VOCABULARIES: Readonly<Record<string, readonly string[]>> = {
  'WebhookEndpoint.kinds': KIND_PATTERNS,
};
