/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** Which deliveries to send again. */
export type ReplayWebhooksInput = {
  /** Only those to this endpoint. */
  endpointId?: string | number | null | undefined;
  /** False: also those that were accepted. Default: true. */
  failedOnly?: boolean | null | undefined;
  /** Only those of this kind of event, such as `receipt.paid`, `receipt.*` or `receipt.status_updated`. */
  kind?: string | null | undefined;
  /** Those of events since then. */
  since: number;
};

/** Changes of an endpoint; what is left out stays. */
export type UpdateWebhookEndpointInput = {
  /** A note of at most 500 characters. */
  description?: string | null | undefined;
  /** True: it receives the events from now on. False: it receives nothing. */
  enabled?: boolean | null | undefined;
  /** The events that it receives. Kinds of events, such as `receipt.paid`, all kinds of one resource, such as `receipt.*`, or `*` for every kind. */
  kinds?: Array<string> | null | undefined;
  /** A public https address. Deliveries that are due go to it as well. */
  url?: string | null | undefined;
};

/** Why an endpoint is disabled. */
export type WebhookEndpointDisabledReason =
  /** An admin disabled it. */
  | 'by_admin'
  /** Every attempt has failed for five days. */
  | 'failing';

export type EndpointFactsFragment = { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledAt: number | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number };

export type WebhookEndpointQueryVariables = Exact<{
  endpointId: string | number;
}>;


export type WebhookEndpointQuery = { webhookEndpoint: { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledAt: number | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number } };

export type ChangeWebhookEndpointMutationVariables = Exact<{
  endpointId: string | number;
  input: UpdateWebhookEndpointInput;
}>;


export type ChangeWebhookEndpointMutation = { updateWebhookEndpoint: { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledAt: number | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number } };

export type RotateWebhookSecretMutationVariables = Exact<{
  endpointId: string | number;
  key: string;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string, endpoint: { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledAt: number | null, disabledReason: WebhookEndpointDisabledReason | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number } } };

export type TestWebhookEndpointMutationVariables = Exact<{
  endpointId: string | number;
}>;


export type TestWebhookEndpointMutation = { testWebhookEndpoint: { ok: boolean, at: number, statusCode: number | null, error: string | null, durationMs: number, answer: string | null } };

export type ReplayFailedMutationVariables = Exact<{
  input: ReplayWebhooksInput;
}>;


export type ReplayFailedMutation = { replayWebhooks: { queued: number } };

export type DeleteWebhookEndpointMutationVariables = Exact<{
  endpointId: string | number;
}>;


export type DeleteWebhookEndpointMutation = { deleteWebhookEndpoint: boolean };

const EndpointFactsText = 'fragment EndpointFacts on WebhookEndpoint{id url description kinds enabled disabledAt disabledReason failingSince previousSecretUntil createdAt}';
export const WebhookEndpoint = ('query WebhookEndpoint($endpointId:ID!){webhookEndpoint(endpointId:$endpointId){...EndpointFacts}}' + EndpointFactsText) as Operation<WebhookEndpointQuery, WebhookEndpointQueryVariables>;
export const ChangeWebhookEndpoint = ('mutation ChangeWebhookEndpoint($endpointId:ID!$input:UpdateWebhookEndpointInput!){updateWebhookEndpoint(endpointId:$endpointId input:$input){...EndpointFacts}}' + EndpointFactsText) as Operation<ChangeWebhookEndpointMutation, ChangeWebhookEndpointMutationVariables>;
export const RotateWebhookSecret = ('mutation RotateWebhookSecret($endpointId:ID!$key:String!){rotateWebhookSecret(endpointId:$endpointId idempotencyKey:$key){endpoint{...EndpointFacts}secret}}' + EndpointFactsText) as Operation<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const TestWebhookEndpoint = ('mutation TestWebhookEndpoint($endpointId:ID!){testWebhookEndpoint(endpointId:$endpointId){ok at statusCode error durationMs answer}}') as Operation<TestWebhookEndpointMutation, TestWebhookEndpointMutationVariables>;
export const ReplayFailed = ('mutation ReplayFailed($input:ReplayWebhooksInput!){replayWebhooks(input:$input){queued}}') as Operation<ReplayFailedMutation, ReplayFailedMutationVariables>;
export const DeleteWebhookEndpoint = ('mutation DeleteWebhookEndpoint($endpointId:ID!){deleteWebhookEndpoint(endpointId:$endpointId)}') as Operation<DeleteWebhookEndpointMutation, DeleteWebhookEndpointMutationVariables>;