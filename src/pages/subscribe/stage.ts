import type { WalletChoice } from '../client/wallet.ts';
import type { PageTheme } from '../theme.ts';

/** A plan as its page shows it. */
export interface PlanView {
  planId: string;
  name: string;
  description: string;
  priceCents: number;
  period: string;
  active: boolean;
}

/** A subscription as the API tells it. Moments in epoch ms. */
export interface SubscriptionView {
  subscriptionId: string;
  customerWallet: string;
  priceUsd: number;
  status: 'active' | 'past_due' | 'cancelled' | 'expired';
  nextChargeAt: number | null;
  lastChargedAt: number | null;
  chargeCount: number;
  totalChargedUsd: number;
}

export interface ObstacleView {
  code: 'approval_missing' | 'manager_not_owner' | 'balance_too_low';
  message: string;
  fix: { transactions: { to: string; data: string }[] };
}

/** What stands in the way of charging the connected wallet, as the API tells it. */
export interface PreflightView {
  ready: boolean;
  token: string;
  amount: string;
  smartAccount: boolean;
  obstacles: ObstacleView[];
}

/** What the part of the page that changes is drawn from; on the server, and again by the script with what it has learnt since. */
export interface SubscribeModel {
  now: number;
  merchantName: string;
  plan: Omit<PlanView, 'description'>;
  /** What can be paid in; the first is the usual one. */
  tokens: { symbol: string; decimals: number }[];
  chain: { id: number; name: string; rpcUrl: string | null; explorerUrl: string | null; local: boolean };
  subscription: SubscriptionView | null;
  /** The absolute address of this page, to open it in a wallet app. */
  pageUrl: string;
}

/** Everything that the page of a plan shows. */
export interface SubscribeView extends SubscribeModel {
  merchantWallet: string;
  theme: PageTheme;
  plan: PlanView;
  pageToken: string;
  graphqlUrl: string;
}

/** What only the running page knows: nothing of it on the server. */
export interface SubscribeUi {
  script: boolean;
  wallets: WalletChoice[];
  /** The list of wallets is open. */
  picking: boolean;
  /** What is going on, in the customer's words; null when nothing is. */
  busy: string | null;
  problem: string | null;
  /** The connected account, as the wallet writes it. */
  account: string | null;
  token: string | null;
  preflight: PreflightView | null;
  /** The customer is asked whether to cancel. */
  cancelling: boolean;
}

export const idleUi: SubscribeUi = {
  script: false,
  wallets: [],
  picking: false,
  busy: null,
  problem: null,
  account: null,
  token: null,
  preflight: null,
  cancelling: false,
};

export type StageName = 'closed' | 'offer' | 'prepare' | 'active' | 'past_due' | 'cancelled' | 'expired';

/** Which of the designed states the page is in. */
export function stageName({ plan, subscription }: SubscribeModel, ui: SubscribeUi): StageName {
  if (subscription) return subscription.status;
  if (!plan.active) return 'closed';
  return ui.account ? 'prepare' : 'offer';
}

const EVERY: Readonly<Record<string, string>> = {
  WEEKLY: 'every week',
  BIWEEKLY: 'every 2 weeks',
  MONTHLY: 'every 30 days',
  QUARTERLY: 'every 90 days',
  YEARLY: 'every 365 days',
};

/** `MONTHLY` → `every 30 days`. */
export const everyPeriod = (period: string): string => EVERY[period] ?? period.toLowerCase();

/** The sentence said to a screen reader when the stage is entered. */
export function announcement({ merchantName }: SubscribeModel, stage: StageName): string {
  const sentences: Record<StageName, string> = {
    closed: 'This plan takes no new subscriptions.',
    offer: 'Connect a wallet to subscribe.',
    prepare: 'Wallet connected. The remaining steps follow.',
    active: `You are subscribed to ${merchantName}.`,
    past_due: 'The last charge did not go through. It will be tried again.',
    cancelled: 'The subscription is cancelled. Nothing will be charged any more.',
    expired: 'The subscription has ended.',
  };
  return sentences[stage];
}
