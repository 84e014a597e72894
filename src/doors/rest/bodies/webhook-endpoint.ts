import { endpointChange, endpointInput, rotationInput } from '../../../domain/webhooks/endpoints/endpoint.input.ts';
import type { CreateWebhookEndpointInput, UpdateWebhookEndpointInput } from '../generated/graphql.ts';
import { readsBody } from '../reader.ts';

/** The body of `POST /api/webhooks/endpoints`. */
export const endpointBody = readsBody(endpointInput, (checked): CreateWebhookEndpointInput => checked);

/** The body of `PUT /api/webhooks/endpoints/{id}`. */
export const endpointChangeBody = readsBody(endpointChange, (checked): UpdateWebhookEndpointInput => checked);

/** The body of `POST /api/webhooks/endpoints/{id}/rotate`. */
export const rotationBody = readsBody(rotationInput, (checked) => checked, { mayBeMissing: true });
