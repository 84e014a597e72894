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
  /** Manages keys that read and webhooks, and moves no money. */
  | 'developer'
  /** Runs the shop, without its split, its members and keys that write. */
  | 'manager'
  /** Does everything. A merchant always has an owner. */
  | 'owner';

export type MemberRowFragment = { id: string, wallet: string, role: MemberRole, label: string | null, createdAt: number, addedBy: string | null, self: boolean };

export type PeopleQueryVariables = Exact<{ [key: string]: never; }>;


export type PeopleQuery = { members: Array<{ id: string, wallet: string, role: MemberRole, label: string | null, createdAt: number, addedBy: string | null, self: boolean }>, invitations: Array<{ id: string, invitationId: string, role: MemberRole, label: string | null, createdAt: number, createdBy: string, expiresAt: number }> };

export type InviteMemberMutationVariables = Exact<{
  role: MemberRole;
  label?: string | null | undefined;
}>;


export type InviteMemberMutation = { inviteMember: { url: string } };

export type RevokeInvitationMutationVariables = Exact<{
  invitationId: string | number;
}>;


export type RevokeInvitationMutation = { revokeInvitation: boolean };

export type ChangeMemberRoleMutationVariables = Exact<{
  wallet: string;
  role: MemberRole;
}>;


export type ChangeMemberRoleMutation = { changeMemberRole: { id: string, wallet: string, role: MemberRole, label: string | null, createdAt: number, addedBy: string | null, self: boolean } };

export type RemoveMemberMutationVariables = Exact<{
  wallet: string;
}>;


export type RemoveMemberMutation = { removeMember: boolean };

const MemberRowText = 'fragment MemberRow on Member{id wallet role label createdAt addedBy self}';
export const People = ('query People{members{...MemberRow}invitations{id invitationId role label createdAt createdBy expiresAt}}' + MemberRowText) as Operation<PeopleQuery, PeopleQueryVariables>;
export const InviteMember = ('mutation InviteMember($role:MemberRole!$label:String){inviteMember(role:$role label:$label){url}}') as Operation<InviteMemberMutation, InviteMemberMutationVariables>;
export const RevokeInvitation = ('mutation RevokeInvitation($invitationId:ID!){revokeInvitation(invitationId:$invitationId)}') as Operation<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const ChangeMemberRole = ('mutation ChangeMemberRole($wallet:Wallet!$role:MemberRole!){changeMemberRole(wallet:$wallet role:$role){...MemberRow}}' + MemberRowText) as Operation<ChangeMemberRoleMutation, ChangeMemberRoleMutationVariables>;
export const RemoveMember = ('mutation RemoveMember($wallet:Wallet!){removeMember(wallet:$wallet)}') as Operation<RemoveMemberMutation, RemoveMemberMutationVariables>;