import { SCOPES } from '../../core/scopes.ts';
import { failureCatalogue } from '../../receipts/failures.ts';
import { ENDPOINT_STATUS, RECORD_STATUS } from '../../receipts/lifecycle.ts';
import { KIND_PATTERNS } from '../../webhooks/events/kinds.ts';

const STATES = ['up', 'down', 'off'];
const unique = (words: Iterable<string>) => [...new Set(words)];

/** Fields of type String in the GraphQL schema that have a fixed set of values. */
export const VOCABULARIES: Readonly<Record<string, readonly string[]>> = {
  'Receipt.recordStatus': unique(Object.values(RECORD_STATUS)),
  'PaymentCheck.status': unique(Object.values(RECORD_STATUS)),
  'ReceiptStatusReport.status': unique(Object.values(ENDPOINT_STATUS)),
  'PaymentFailure.code': Object.keys(failureCatalogue),
  'PaymentFailure.category': unique(Object.values(failureCatalogue).map(([category]) => category)),
  'SplitTransaction.status': ['pending', 'completed'],
  'ServiceStatus.status': ['ok', 'degraded', 'unavailable'],
  'ServiceStatus.scopes': SCOPES,
  'WebhookEndpoint.kinds': KIND_PATTERNS,
  'Dependencies.database': STATES,
  'Dependencies.redis': STATES,
  'Dependencies.chain': STATES,
  'Dependencies.watcher': STATES,
};
