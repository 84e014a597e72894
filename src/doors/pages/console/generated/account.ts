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

/** Whether a signed-in wallet may register a merchant. */
export type Signup =
  /** Only the operator registers merchants. */
  | 'closed'
  /** A wallet needs a code of the operator. */
  | 'invite'
  /** Any signed-in wallet may register a merchant. */
  | 'open';

export type AccountQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountQuery = { onboarding: { signup: Signup }, memberships: Array<{ id: string, merchant: string, name: string, role: MemberRole, createdAt: number, current: boolean }>, sessions: Array<{ id: string, sessionId: string, merchant: string | null, role: MemberRole | null, createdAt: number, lastUsedAt: number, address: string | null, device: string | null, current: boolean }> };

export type OwnersQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnersQuery = { members: Array<{ id: string, role: MemberRole }> };

export type SwitchMerchantMutationVariables = Exact<{
  merchant: string;
}>;


export type SwitchMerchantMutation = { switchMerchant: { id: string } };

export type EndSessionMutationVariables = Exact<{
  sessionId: string | number;
}>;


export type EndSessionMutation = { endSession: boolean };

export type EndOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type EndOtherSessionsMutation = { endAllSessions: number };

export type LeaveMerchantMutationVariables = Exact<{ [key: string]: never; }>;


export type LeaveMerchantMutation = { leaveMerchant: boolean };

export const Account = ('query Account{onboarding{signup}memberships{id merchant name role createdAt current}sessions{id sessionId merchant role createdAt lastUsedAt address device current}}') as Operation<AccountQuery, AccountQueryVariables>;
export const Owners = ('query Owners{members{id role}}') as Operation<OwnersQuery, OwnersQueryVariables>;
export const SwitchMerchant = ('mutation SwitchMerchant($merchant:Wallet!){switchMerchant(merchant:$merchant){id}}') as Operation<SwitchMerchantMutation, SwitchMerchantMutationVariables>;
export const EndSession = ('mutation EndSession($sessionId:ID!){endSession(sessionId:$sessionId)}') as Operation<EndSessionMutation, EndSessionMutationVariables>;
export const EndOtherSessions = ('mutation EndOtherSessions{endAllSessions(exceptThis:true)}') as Operation<EndOtherSessionsMutation, EndOtherSessionsMutationVariables>;
export const LeaveMerchant = ('mutation LeaveMerchant{leaveMerchant}') as Operation<LeaveMerchantMutation, LeaveMerchantMutationVariables>;