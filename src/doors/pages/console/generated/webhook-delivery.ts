import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
const DeliveryFactsText = 'fragment DeliveryFacts on WebhookDelivery{id event status eventId receiptId endpointId url state body createdAt finishedAt attempts{number at durationMs statusCode error answer}}';
export const WebhookDelivery = ('query WebhookDelivery($deliveryId:ID!){webhookDelivery(deliveryId:$deliveryId){...DeliveryFacts}}' + DeliveryFactsText) as Operation<types.WebhookDeliveryQuery, types.WebhookDeliveryQueryVariables>;
export const SendAgain = ('mutation SendAgain($deliveryId:ID!){redeliverWebhook(deliveryId:$deliveryId){...DeliveryFacts}}' + DeliveryFactsText) as Operation<types.SendAgainMutation, types.SendAgainMutationVariables>;