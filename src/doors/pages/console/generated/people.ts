/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** The role of a member of a merchant. */
export type MemberRole =
  /** Reads and exports, and changes nothing. */
  | 'bookkeeper'
  /** Takes payments at the till and reads the receipts that it created. */
  | 'cashier'
  /** Manages keys and webhooks, and moves no money. Its own keys open what it may read itself. */
  | 'developer'
  /** Runs the shop, without its split, its members and keys that write. */
  | 'manager'
  /** Does everything. A merchant always has an owner. */
  | 'owner';

/** A permission of a developer key. REST writes it with a colon. */
export type Scope =
  /** Sends GraphQL queries and subscriptions (`graphql:read`). */
  | 'graphql_read'
  /** Reads the catalog (`inventory:read`). */
  | 'inventory_read'
  /** Changes the catalog (`inventory:write`). */
  | 'inventory_write'
  /** Places orders (`orders:create`). */
  | 'orders_create'
  /** Reads receipts and their status (`receipts:read`). */
  | 'receipts_read'
  /** Creates receipts and reports the buyer’s progress (`receipts:write`). */
  | 'receipts_write'
  /** Reads shop, prices, taxes, balances and reserve (`shop:read`). */
  | 'shop_read'
  /** Reads the split and its transactions (`split:read`). */
  | 'split_read'
  /** Searches users and follows their presence (`users:read`). */
  | 'users_read';

export type MemberRowFragment = { id: string, wallet: string, role: MemberRole, label: string | null, createdAt: number, addedBy: string | null, self: boolean };

export type PeopleQueryVariables = Exact<{ [key: string]: never; }>;


export type PeopleQuery = { members: Array<{ id: string, wallet: string, role: MemberRole, label: string | null, createdAt: number, addedBy: string | null, self: boolean }>, invitations: Array<{ id: string, invitationId: string, role: MemberRole, label: string | null, createdAt: number, createdBy: string, expiresAt: number }> };

export type InviteMemberMutationVariables = Exact<{
  role: MemberRole;
  label?: string | null | undefined;
  key: string;
}>;


export type InviteMemberMutation = { inviteMember: { url: string } };

export type RevokeInvitationMutationVariables = Exact<{
  invitationId: string | number;
}>;


export type RevokeInvitationMutation = { revokeInvitation: boolean };

export type MemberIssuedQueryVariables = Exact<{
  wallet: string;
}>;


export type MemberIssuedQuery = { issuedBy: { keys: Array<{ keyId: string, label: string | null, scopes: Array<Scope> }>, endpoints: Array<{ id: string, url: string, kinds: Array<string> }> } };

export type ChangeMemberRoleMutationVariables = Exact<{
  wallet: string;
  role: MemberRole;
  keepKeys?: Array<string | number> | string | number | null | undefined;
  keepEndpoints?: Array<string | number> | string | number | null | undefined;
}>;


export type ChangeMemberRoleMutation = { changeMemberRole: { id: string, wallet: string, role: MemberRole, label: string | null, createdAt: number, addedBy: string | null, self: boolean } };

export type RemoveMemberMutationVariables = Exact<{
  wallet: string;
  keepKeys?: Array<string | number> | string | number | null | undefined;
  keepEndpoints?: Array<string | number> | string | number | null | undefined;
}>;


export type RemoveMemberMutation = { removeMember: boolean };

const MemberRowText = 'fragment MemberRow on Member{id wallet role label createdAt addedBy self}';
export const People = ('query People{members{...MemberRow}invitations{id invitationId role label createdAt createdBy expiresAt}}' + MemberRowText) as Operation<PeopleQuery, PeopleQueryVariables>;
export const InviteMember = ('mutation InviteMember($role:MemberRole!$label:String$key:String!){inviteMember(role:$role label:$label idempotencyKey:$key){url}}') as Operation<InviteMemberMutation, InviteMemberMutationVariables>;
export const RevokeInvitation = ('mutation RevokeInvitation($invitationId:ID!){revokeInvitation(invitationId:$invitationId)}') as Operation<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const MemberIssued = ('query MemberIssued($wallet:Wallet!){issuedBy(wallet:$wallet){keys{keyId label scopes}endpoints{id url kinds}}}') as Operation<MemberIssuedQuery, MemberIssuedQueryVariables>;
export const ChangeMemberRole = ('mutation ChangeMemberRole($wallet:Wallet!$role:MemberRole!$keepKeys:[ID!]$keepEndpoints:[ID!]){changeMemberRole(wallet:$wallet role:$role keepKeys:$keepKeys keepEndpoints:$keepEndpoints){...MemberRow}}' + MemberRowText) as Operation<ChangeMemberRoleMutation, ChangeMemberRoleMutationVariables>;
export const RemoveMember = ('mutation RemoveMember($wallet:Wallet!$keepKeys:[ID!]$keepEndpoints:[ID!]){removeMember(wallet:$wallet keepKeys:$keepKeys keepEndpoints:$keepEndpoints)}') as Operation<RemoveMemberMutation, RemoveMemberMutationVariables>;