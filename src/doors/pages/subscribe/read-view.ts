import type { Subscriber } from '../../../base/core/caller.ts';
import { Refusal } from '../../../base/core/errors.ts';
import type { Words } from '../../../base/core/messages/fill.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Deps } from '../../../base/platform/deps.ts';
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
import { wouldSend } from '../../../domain/webhooks/mail/preferences.ts';
import { shownChain } from '../shared/chain.ts';
import { planPath } from '../shared/paths.ts';
import type { Reading } from '../shared/reading.ts';
import type { MailWords, SubscribeView, SubscriptionView } from './stage.ts';

/**
 * The data of a plan's page; null if the URL names no plan. A subscription in the URL is shown only if it belongs to
 * this plan.
 */
export async function readView(
  deps: Deps,
  {
    planId,
    subscriptionId,
    readingOf,
  }: {
    planId: string;
    subscriptionId: string | null;
    readingOf: (shop: Language | null, subscriber: string | null) => Reading;
  },
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
  const reading = readingOf(shop.language, subscription?.language ?? null);
  const { name, description, priceCents, period, active } = plan;
  const tokens = planTokens(deps.chains, plan);
  const chainIds = new Set([
    ...tokens.map(({ chain }) => chain.chainId),
    ...(subscription ? [subscription.chainId] : []),
  ]);
  return {
    reading,
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
    chains: [...chainIds].map((id) => shownChain(deps, reading.language, id)),
    subscription: subscription && shown(subscription),
    pageUrl: deps.settings.baseUrl + planPath(planId, reading.chosen, subscription?.id),
    againUrl: planPath(planId, reading.chosen),
    pageToken,
    mailWords: sendsMail ? mailWords(wordsOf('mail', reading.language)) : null,
    graphqlUrl: '/api/graphql',
  };
}

const mailWords = (say: Words<'mail'>): MailWords => ({
  label: say('subscribe_email'),
  hint: say('subscribe_email_hint'),
  wrong: say('wrong_email'),
});

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
