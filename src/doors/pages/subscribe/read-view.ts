import type { Subscriber } from '../../../base/core/caller.ts';
import { Refusal } from '../../../base/core/errors.ts';
import type { Words } from '../../../base/core/messages/fill.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { issuePageToken } from '../../../domain/access/gateway/page-token.ts';
import { planTokens } from '../../../domain/recurring/plans/plan-tokens.ts';
import { findPlan } from '../../../domain/recurring/plans/read-plans.ts';
import { firstChargeOf } from '../../../domain/recurring/subscriptions/first-charge.ts';
import {
  requireSubscription,
  type SubscriptionRecord,
} from '../../../domain/recurring/subscriptions/read-subscriptions.ts';
import { failureCodeOf } from '../../../domain/sales/receipts/failures.ts';
import { findMerchant } from '../../../domain/shop/merchants/find.ts';
import { readShop } from '../../../domain/shop/merchants/read-shop.ts';
import { wouldSend } from '../../../domain/webhooks/mail/reach.ts';
import { pageChain } from '../shared/chain.ts';
import { ENGLISH } from '../shared/reading.ts';
import type { MailWords, SubscribeView, SubscriptionView } from './stage.ts';

/**
 * The data of a plan's page; null if the URL names no plan. A subscription in the URL is shown only if it belongs to
 * this plan.
 */
export async function readView(
  deps: Deps,
  { planId, subscriptionId }: { planId: string; subscriptionId: string | null },
): Promise<SubscribeView | null> {
  const plan = await findPlan(deps.db, planId);
  if (!plan) return null;
  const { merchant } = plan;
  const now = deps.clock();
  const [record, shop, subscription, pageToken, sendsMail] = await Promise.all([
    findMerchant(deps.db, merchant),
    readShop(deps.db, merchant),
    subscriptionId === null ? null : ownSubscription(deps, { kind: 'subscriber', merchant, planId }, subscriptionId),
    issuePageToken(deps.settings, { merchant, planId }, now),
    wouldSend(deps.db, deps.settings.mail, now, merchant, null),
  ]);
  const { name, description, priceCents, period, active } = plan;
  const tokens = planTokens(deps.chains, plan);
  const chainIds = new Set([
    ...tokens.map(({ chain }) => chain.chainId),
    ...(subscription ? [subscription.chainId] : []),
  ]);
  return {
    now,
    merchantName: record?.brandName ?? '',
    merchantWallet: merchant,
    theme: shop.theme,
    plan: { planId, name, description, priceCents, period, active },
    tokens: tokens.map(({ chain: { chainId }, token: { symbol, decimals } }) => ({
      id: `${symbol}@${chainId}`,
      symbol,
      decimals,
      chainId,
    })),
    chains: [...chainIds].map((id) => pageChain(deps, id)),
    subscription: subscription && shown(subscription),
    pageUrl: pageUrl(deps.settings, planId, subscription?.id),
    pageToken,
    mailWords: sendsMail ? mailWords(wordsOf('mail', ENGLISH.language)) : null,
    graphqlUrl: '/api/graphql',
  };
}

const mailWords = (say: Words<'mail'>): MailWords => ({
  label: say('subscribe_email'),
  hint: say('subscribe_email_hint'),
  wrong: say('wrong_email'),
});

/** The absolute URL of the page of a plan, or of a subscription to it. */
function pageUrl(settings: Settings, planId: string, subscriptionId?: string): string {
  const url = new URL(`${settings.baseUrl}/subscribe/${encodeURIComponent(planId)}`);
  if (subscriptionId !== undefined) url.searchParams.set('subscription', subscriptionId);
  return url.href;
}

/** A subscription to this plan; null for any other id. */
async function ownSubscription(deps: Deps, page: Subscriber, id: string): Promise<SubscriptionRecord | null> {
  try {
    return await requireSubscription(deps.db, page, id);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return null;
    throw error;
  }
}

function shown(record: SubscriptionRecord): SubscriptionView {
  const { id, customer, chainId, priceCents, status, chargeCount, totalChargedCents } = record;
  const { nextChargeAt, lastChargedAt, lastFailure } = record;
  return {
    subscriptionId: id,
    chainId,
    customerWallet: customer,
    priceUsd: usdFromCents(priceCents),
    status,
    firstCharge: firstChargeOf(record),
    lastFailure: failureCodeOf(lastFailure),
    nextChargeAt,
    lastChargedAt,
    chargeCount,
    totalChargedUsd: usdFromCents(totalChargedCents),
  };
}
