import type { Words } from '../../../base/core/messages/fill.ts';
import { localeOf } from '../../../base/core/messages/languages.ts';
import type { WalletChoice } from '../client/discover-wallets.ts';
import type { ShownSubscriptionFragment, SubscribePreflightQuery } from '../generated/subscribe.ts';
import { formatCents } from '../shared/amounts.ts';
import { type Html, own } from '../shared/html.ts';
import type { Reading } from '../shared/reading.ts';
import type { PageTheme } from '../shared/theme.ts';

/** What the page says. */
export type Say = Words<'subscribe'>;

/** The plan's data on its page. */
interface PlanView {
  planId: string;
  name: string;
  description: string;
  priceCents: number;
  period: string;
  active: boolean;
}

/** A subscription as the API returns it. Times in epoch ms. */
export type SubscriptionView = ShownSubscriptionFragment;

/** Whether more is charged for a subscription. */
export const isRunning = ({ status }: Pick<SubscriptionView, 'status'>): boolean =>
  status === 'active' || status === 'past_due';

/** Whether the first charge is still to come. Only after it the customer is subscribed. */
export const isCharging = ({ status, firstCharge }: SubscriptionView): boolean =>
  status === 'active' && firstCharge === 'pending';

/** A charge that is due within this time is due now: the chain decides, and its clock may differ. */
const DUE_MS = 60_000;

/** Whether the next charge comes later than now. */
export const isLater = ({ nextChargeAt }: Pick<SubscriptionView, 'nextChargeAt'>, now: number): boolean =>
  nextChargeAt !== null && nextChargeAt > now + DUE_MS;

/** An amount of dollars, for a text. */
export const priceText = (say: Say, { priceUsd }: Pick<SubscriptionView, 'priceUsd'>): string =>
  formatCents(Math.round(priceUsd * 100), 'USD', say.language);

/** An amount of dollars, for the page. */
export const price = (say: Say, cents: number): Html => own(formatCents(cents, 'USD', say.language));

/** Networks as a choice: `a, b or c`. */
export const networks = (say: Say, chains: readonly ChainView[]): string =>
  new Intl.ListFormat(localeOf(say.language), { type: 'disjunction' }).format(chains.map(({ name }) => name));

/** The obstacles to charging the connected wallet, as the API returns them. */
type PreflightView = SubscribePreflightQuery['subscriptionPreflight'];

export type ObstacleView = PreflightView['obstacles'][number];

/** A chain of the plan. */
export interface ChainView {
  id: number;
  name: string;
  rpcUrl: string | null;
  explorerUrl: string | null;
  local: boolean;
}

/** The texts around the e-mail address. */
export interface MailWords {
  label: string;
  hint: string;
  wrong: string;
}

/** The data of the changing part of the page: drawn by the server, then redrawn by the script with newer data. */
export interface SubscribeModel {
  now: number;
  merchantName: string;
  plan: Omit<PlanView, 'description'>;
  /** The accepted tokens, the default first. The id names symbol and chain. */
  tokens: { id: string; symbol: string; decimals: number; chainId: number }[];
  /** The chains of the tokens and of the subscription. */
  chains: ChainView[];
  subscription: SubscriptionView | null;
  /** The absolute URL of this page, to open it in a wallet app. */
  pageUrl: string;
  /** The page without the subscription, in the chosen language. */
  againUrl: string;
  /** What the page asks for an e-mail address with; null if the server would send nothing there. */
  mailWords: MailWords | null;
}

/** The data of a plan's page. */
export interface SubscribeView extends SubscribeModel {
  reading: Reading;
  merchantWallet: string;
  theme: PageTheme;
  plan: PlanView;
  pageToken: string;
  graphqlUrl: string;
}

/** State of the running page only; empty on the server. */
export interface SubscribeUi {
  script: boolean;
  wallets: WalletChoice[];
  /** The list of wallets is open. */
  picking: boolean;
  /** The current activity, as text for the customer; null if there is none. */
  busy: string | null;
  problem: string | null;
  /** The connected account, as the wallet writes it. */
  account: string | null;
  /** The id of the chosen token. */
  token: string | null;
  preflight: PreflightView | null;
  /** The wallet is a smart account that allows charges and subscribes in one request. */
  together: boolean;
  /** The e-mail address as it was entered. */
  email: string;
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
  together: false,
  email: '',
  cancelling: false,
};

/** The token that the customer has chosen; the default one before. */
export const chosenToken = ({ tokens }: SubscribeModel, { token }: SubscribeUi) =>
  tokens.find(({ id }) => id === token) ?? tokens[0];

/** The chain of the subscription, else that of the chosen token. */
export function currentChain(model: SubscribeModel, ui: SubscribeUi): ChainView | undefined {
  const id = model.subscription?.chainId ?? chosenToken(model, ui)?.chainId;
  return model.chains.find((chain) => chain.id === id);
}

export type StageName = 'closed' | 'offer' | 'prepare' | 'charging' | SubscriptionView['status'];

/** The current state of the page. */
export function stageName({ plan, subscription }: SubscribeModel, ui: SubscribeUi): StageName {
  if (subscription) return isCharging(subscription) ? 'charging' : subscription.status;
  if (!plan.active) return 'closed';
  return ui.account ? 'prepare' : 'offer';
}

const PERIODS = ['WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'] as const;

/** `MONTHLY` → `every 30 days`. */
export function everyPeriod(say: Say, period: string): string {
  const known = PERIODS.find((each) => each === period);
  return known ? say(`every.${known}`) : period.toLowerCase();
}

/** The announcement for screen readers when the stage is entered: what the panel says at its top. */
export function announcement(say: Say, { merchantName, subscription, now }: SubscribeModel, stage: StageName): string {
  const paid = subscription ? priceText(say, subscription) : '';
  const sentences: Record<StageName, () => readonly string[]> = {
    closed: () => [say('closed.title'), say('closed.text')],
    offer: () => [say('offer.title')],
    prepare: () => [say('almost')],
    charging: () => [
      subscription && isLater(subscription, now) ? say('planned.title') : say('charging.title', { price: paid }),
    ],
    active: () => [say('active.title'), say('active.text', { shop: merchantName, price: paid, next: '' })],
    past_due: () => [
      dueTitle(say, subscription?.firstCharge === 'failed'),
      say('due.text', { reason: subscription ? reasonText(say, subscription) : '' }),
    ],
    cancelled: () => [say('cancelled.title'), say('cancelled.text')],
    expired: () => [say('expired.title'), say('expired.text')],
  };
  return sentences[stage]().join('. ').trim();
}

/** The failures of a charge that have a reason of their own. */
const REASONS = {
  PORTAL_CHAIN_INSUFFICIENT_BALANCE: 'reason.balance',
  PORTAL_CHAIN_WALLET_MISMATCH: 'reason.signature',
} as const;

/** Why the last charge failed. */
export const reasonText = (say: Say, { lastFailure }: Pick<SubscriptionView, 'lastFailure'>): string =>
  say(REASONS[lastFailure as keyof typeof REASONS] ?? 'reason.other');

/** What did not go through: the first charge, or a later one. */
export const dueTitle = (say: Say, isFirst: boolean): string => say(isFirst ? 'due.first' : 'due.last');
