/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
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

/** What a role includes. */
export type Permission =
  /** Reads the audit log. */
  | 'audit_read'
  /** Reads the catalog. */
  | 'catalog_read'
  /** Changes the catalog. */
  | 'catalog_write'
  /** Reads and revokes developer keys, issues those that open no more than its role, and reads which requests failed. */
  | 'keys'
  /** Issues developer keys that write. */
  | 'keys_write'
  /** Invites, changes and removes members. */
  | 'members'
  /** Reads who belongs to the merchant. */
  | 'members_read'
  /** Refunds, accepts and voids payments, and assigns or returns unmatched money. */
  | 'money'
  /** Changes recurring plans. */
  | 'plans_write'
  /** Erases the personal data of buyers. */
  | 'privacy'
  /** Reads the receipts that the own wallet created. */
  | 'receipts_own'
  /** Reads all receipts, with their payments, refunds, subscriptions and events. */
  | 'receipts_read'
  /** Creates orders, receipts and quotes, and reports the progress of buyers. */
  | 'receipts_write'
  /** Reads statistics, billing and balances, and exports data. */
  | 'reports'
  /** Reads shop, prices and taxes. */
  | 'shop_read'
  /** Changes shop, prices and taxes. */
  | 'shop_write'
  /** Changes the split. */
  | 'split'
  /** Reads the split and its transactions. */
  | 'split_read'
  /** Takes payments at the till. */
  | 'till'
  /** Reads and changes webhook endpoints, for events that its role may read, and reads and repeats deliveries. */
  | 'webhooks';

/** A role of a signed-in wallet. */
export type Role =
  /** Administers its own merchant. */
  | 'admin'
  /** The wallet of a registered merchant. */
  | 'merchant'
  /** Named by the operator; acts for any merchant at the till. */
  | 'platform_admin'
  /** Every signed-in wallet. */
  | 'user';

export type PageSessionFragment = { wallet: string, roles: Array<Role>, merchant: string | null, role: MemberRole | null, permissions: Array<Permission>, csrfToken: string };

export type PageSessionQueryVariables = Exact<{ [key: string]: never; }>;


export type PageSessionQuery = { me: { wallet: string, roles: Array<Role>, merchant: string | null, role: MemberRole | null, permissions: Array<Permission>, csrfToken: string } };

export type PageChallengeMutationVariables = Exact<{
  wallet: string;
}>;


export type PageChallengeMutation = { loginChallenge: { nonce: string, typedData: unknown } };

export type PageLoginMutationVariables = Exact<{
  wallet: string;
  nonce: string;
  signature: string;
}>;


export type PageLoginMutation = { login: { wallet: string, roles: Array<Role>, merchant: string | null, role: MemberRole | null, permissions: Array<Permission>, csrfToken: string } };

export type PageLogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type PageLogoutMutation = { logout: boolean };

const PageSessionText = 'fragment PageSession on SignedIn{wallet roles merchant role permissions csrfToken}';
export const PageSession = ('query PageSession{me{...PageSession}}' + PageSessionText) as Operation<PageSessionQuery, PageSessionQueryVariables>;
export const PageChallenge = ('mutation PageChallenge($wallet:Wallet!){loginChallenge(wallet:$wallet){nonce typedData}}') as Operation<PageChallengeMutation, PageChallengeMutationVariables>;
export const PageLogin = ('mutation PageLogin($wallet:Wallet!$nonce:String!$signature:Hex!){login(wallet:$wallet nonce:$nonce signature:$signature){...PageSession}}' + PageSessionText) as Operation<PageLoginMutation, PageLoginMutationVariables>;
export const PageLogout = ('mutation PageLogout{logout}') as Operation<PageLogoutMutation, PageLogoutMutationVariables>;