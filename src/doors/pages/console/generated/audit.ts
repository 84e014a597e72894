/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** What the audit log records. */
export type AuditAction =
  /** Personal data was erased from the audit log. */
  | 'audit_erased'
  /** Blocks were read again for payments that were missed. */
  | 'blocks_rescanned'
  /** The personal data of a buyer was erased. */
  | 'buyer_erased'
  /** The label or the limits of a developer key were changed. */
  | 'key_changed'
  /** A developer key was issued. */
  | 'key_issued'
  /** A developer key was revoked. */
  | 'key_revoked'
  /** A developer key was replaced by a new one. */
  | 'key_rotated'
  /** The level of the log was changed until the next restart. */
  | 'log_level_changed'
  /** An invitation to a merchant was revoked. */
  | 'member_invitation_revoked'
  /** A person was invited to a merchant. */
  | 'member_invited'
  /** A wallet joined a merchant with an invitation. */
  | 'member_joined'
  /** A member left a merchant. */
  | 'member_left'
  /** A member was removed. */
  | 'member_removed'
  /** A member got another role. */
  | 'member_role_changed'
  /** The operator admitted a merchant that had registered itself. */
  | 'merchant_admitted'
  /** A code was issued with which a wallet may register a merchant. */
  | 'merchant_invited'
  /** A merchant was registered. */
  | 'merchant_registered'
  /** The operator ended the suspension of a merchant. */
  | 'merchant_resumed'
  /** The operator suspended a merchant. */
  | 'merchant_suspended'
  /** An acknowledged order that could not be booked was given up. */
  | 'order_discarded'
  /** An insufficient payment was accepted. */
  | 'payment_accepted'
  /** An unmatched payment was assigned to a receipt. */
  | 'payment_assigned'
  /** An unmatched payment was marked to be sent back. */
  | 'payment_marked'
  /** The mark of an unmatched payment was removed. */
  | 'payment_unmarked'
  /** The operator stopped offering new payments in a token or on a chain. */
  | 'payments_paused'
  /** The operator offered payments in a token or on a chain again. */
  | 'payments_resumed'
  /** The release of waiting payouts was asked for before they were due. */
  | 'payout_requested'
  /** A plan was changed, deactivated or activated again. */
  | 'plan_changed'
  /** A plan was created. */
  | 'plan_created'
  /** The currency or the prices per minute of a merchant were changed. */
  | 'pricing_changed'
  /** The operator had a receipt and its payments looked up on the chain again. */
  | 'receipt_reevaluated'
  /** An unpaid receipt was ended by hand. */
  | 'receipt_voided'
  /** An export of receipts, of their lines or of payouts was begun. */
  | 'receipts_exported'
  /** A transaction was registered as a refund. */
  | 'refund_proven'
  /** A refund was requested. */
  | 'refund_requested'
  /** The search of receipts was built again. */
  | 'search_rebuilt'
  /** What the former KEY_ENCRYPTION_KEY encrypted was encrypted with the new one. */
  | 'secrets_re_encrypted'
  /** The name, look, fee or terms of a shop were changed. */
  | 'shop_changed'
  /** The first split of a merchant was configured. */
  | 'split_configured'
  /** The split of a merchant was replaced by another. */
  | 'split_replaced'
  /** All cursors of live streams were ended. */
  | 'streams_renewed'
  /** A subscription was ended at the wish of the merchant. */
  | 'subscription_ended'
  /** A tax jurisdiction of the merchant was deleted. */
  | 'tax_deleted'
  /** A tax jurisdiction of the merchant was added or changed. */
  | 'tax_saved'
  /** Users were imported. */
  | 'users_imported'
  /** A webhook endpoint was changed, disabled or enabled. */
  | 'webhook_changed'
  /** A webhook endpoint was registered. */
  | 'webhook_created'
  /** A webhook endpoint was deleted. */
  | 'webhook_deleted'
  /** Deliveries of webhooks were sent again. */
  | 'webhook_replayed'
  /** The secret of a webhook endpoint was replaced. */
  | 'webhook_secret_rotated';

/** Who made a change. */
export type AuditActorKind =
  /** The operator, on the command line of the server. */
  | 'command_line'
  /** A developer key. */
  | 'key'
  /** Another caller, such as the page of a receipt. */
  | 'other'
  /** The server itself, such as one of its workers. */
  | 'server'
  /** A signed-in wallet. */
  | 'wallet';

/** Conditions on entries; all that are given must hold. Both ends of a range are included. */
export type AuditFilter = {
  /** One of these actions. */
  actions?: Array<AuditAction> | null | undefined;
  /** Exactly this caller: `wallet:0x…`, `key:…`, `command_line` or `server`. */
  actor?: string | null | undefined;
  /** Made at this time or later. */
  from?: number | null | undefined;
  /** Changes of the object with this id. */
  objectId?: string | number | null | undefined;
  /** Changes of objects of this kind. */
  objectType?: AuditObject | null | undefined;
  /** Made at this time or earlier. */
  to?: number | null | undefined;
};

/** The kind of object that a change is about. */
export type AuditObject =
  /** The audit log itself. */
  | 'audit'
  /** A buyer, who is not named: `email` or `wallet`, by which the buyer was found. */
  | 'buyer'
  /** The blocks of the chain. */
  | 'chain'
  /** Deliveries of webhooks, by their id or selection. */
  | 'delivery'
  /** An export, by the kind of its rows. */
  | 'export'
  /** An invitation of a person, by its id. */
  | 'invitation'
  /** A code to register a merchant, by its id. */
  | 'invite'
  /** A developer key, by its id. */
  | 'key'
  /** A member, by its wallet. */
  | 'member'
  /** A merchant, by its wallet. */
  | 'merchant'
  /** Waiting payouts, by their split and token. */
  | 'payout'
  /** A plan, by its id. */
  | 'plan'
  /** The pricing of a merchant, by its wallet. */
  | 'pricing'
  /** A receipt, by its id. */
  | 'receipt'
  /** A refund, by its id. */
  | 'refund'
  /** The whole server. */
  | 'server'
  /** The shop of a merchant, by its wallet. */
  | 'shop'
  /** A split, by its address. */
  | 'split'
  /** A subscription, by its id. */
  | 'subscription'
  /** A tax jurisdiction, by its code. */
  | 'tax'
  /** A transfer on the chain, by its transaction and log index. */
  | 'transfer'
  /** A webhook endpoint, by its id. */
  | 'webhook';

export type AuditRowFragment = { id: string, number: number, at: number, action: AuditAction, objectType: AuditObject, objectId: string, address: string | null, userAgent: string | null, erased: boolean, actor: { kind: AuditActorKind, wallet: string | null, keyId: string | null }, changes: Array<{ field: string, before: unknown, after: unknown }> };

export type AuditLogQueryVariables = Exact<{
  filter?: AuditFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AuditLogQuery = { auditLog: { nodes: Array<{ id: string, number: number, at: number, action: AuditAction, objectType: AuditObject, objectId: string, address: string | null, userAgent: string | null, erased: boolean, actor: { kind: AuditActorKind, wallet: string | null, keyId: string | null }, changes: Array<{ field: string, before: unknown, after: unknown }> }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

export type AuditNamesQueryVariables = Exact<{
  members: boolean;
  keys: boolean;
}>;


export type AuditNamesQuery = { members?: Array<{ id: string, wallet: string, label: string | null, self: boolean }>, keys?: { nodes: Array<{ id: string, keyId: string, label: string | null }> } };

export type AuditNewsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type AuditNewsSubscription = { auditEntries: { id: string, number: number } };

const AuditRowText = 'fragment AuditRow on AuditEntry{id number at action actor{kind wallet keyId}objectType objectId changes{field before after}address userAgent erased}';
export const AuditLog = ('query AuditLog($filter:AuditFilter$first:Int$after:String$last:Int$before:String){auditLog(filter:$filter first:$first after:$after last:$last before:$before){nodes{...AuditRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}' + AuditRowText) as Operation<AuditLogQuery, AuditLogQueryVariables>;
export const AuditNames = ('query AuditNames($members:Boolean!$keys:Boolean!){members@include(if:$members){id wallet label self}keys(first:100)@include(if:$keys){nodes{id keyId label}}}') as Operation<AuditNamesQuery, AuditNamesQueryVariables>;
export const AuditNews = ('subscription AuditNews{auditEntries{id number}}') as Operation<AuditNewsSubscription, AuditNewsSubscriptionVariables>;