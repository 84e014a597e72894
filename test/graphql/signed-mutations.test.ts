import { expect, test } from 'vitest';
import type { Guards } from '../../src/base/core/caller.ts';
import { NEEDED_FOR_SCOPE, ROLE_NAMES, ROLES_WITH } from '../../src/base/core/roles.ts';
import { schema } from '../../src/doors/http/server/schema.ts';

/** Mutations that no guard asks a fresh signature for, by reason. */
const UNSIGNED: Readonly<Record<string, readonly string[]>> = {
  // Their resolver asks for it if the input changes what is sent, where to, or from where a key works.
  inPart: ['updateKey', 'updateWebhookEndpoint'],
  // They take rights away or end something, also for a person who has just lost a device.
  ends: [
    'revokeKey',
    'deleteWebhookEndpoint',
    'revokeInvitation',
    'leaveMerchant',
    'logout',
    'endSession',
    'endAllSessions',
    'cancelSubscription',
  ],
  // They make the signature, or carry one of their own.
  signs: ['login', 'loginChallenge', 'confirmChallenge', 'confirmSession', 'createSubscription', 'exchangeConnectCode'],
  // They concern the signed-in wallet alone, and give it no right over what others have.
  own: [
    'acceptInvitation',
    'follow',
    'heartbeat',
    'registerMerchant',
    'sendTestMail',
    'setMailPreference',
    'setPresence',
    'switchMerchant',
    'unfollow',
    'upsertUser',
  ],
  // They run the shop day by day: they choose no payee, and no place that events are sent to from then on.
  shop: [
    'createPaymentLink',
    'createPlan',
    'deactivatePlan',
    'deleteInventoryItem',
    'deleteJurisdiction',
    'deletePaymentLink',
    'saveInventoryItem',
    'saveInventoryItems',
    'saveJurisdiction',
    'switchPaymentLink',
    'updatePlan',
    'updatePricingConfig',
    'updateShopConfig',
    'updateShopProfile',
  ],
  // They make or follow one receipt, quote or charge, at the till, by a page or by the scheduler.
  receipts: [
    'resendMail',
    'requestPayment',
    'chargeDueSubscriptions',
    'chargeSubscription',
    'createOrder',
    'createReceipt',
    'createTerminalReceipt',
    'draftAuthorization',
    'payByAuthorization',
    'payWithTestWallet',
    'quotePayment',
    'renewQuote',
    'renewReceipt',
    'reportFailure',
    'reportTracking',
    'setBuyerEmail',
    'startCardCheckout',
    'submitTransaction',
  ],
  // They decide about one receipt or transfer, and send no money: refunds are sent from a wallet, payouts to the split.
  decisions: [
    'acceptPayment',
    'assignTransfer',
    'declineRefund',
    'endSubscription',
    'markUnmatchedForRefund',
    'refundReceipt',
    'releasePayouts',
    'replaceReceipt',
    'requestRefund',
    'unassignTransfer',
    'voidReceipt',
    'voidReceipts',
  ],
  // They send to an address only what it may receive already, or a test event without data.
  repeats: ['pingWebhook', 'redeliverWebhook', 'redeliverWebhooks', 'replayWebhooks', 'testWebhookEndpoint'],
};

const guardsOf = (options: unknown): Guards => (options as { authScopes: Guards }).authScopes;
const mutations = Object.values(schema.getMutationType()!.getFields()).map((field) => ({
  name: field.name,
  guards: guardsOf(field.extensions.pothosOptions),
}));

test('no new mutation is open to an old session unless its reason is on the list', () => {
  // A member decides by `mayWrite`, a platform admin beside it by a signature.
  const isSigned = ({ maySign, mayWrite, platformSign }: Guards) => maySign || (platformSign && !mayWrite);
  const unsigned = mutations.filter(({ guards }) => !isSigned(guards)).map(({ name }) => name);
  const listed = Object.values(UNSIGNED).flat();
  expect(unsigned.toSorted()).toEqual(listed.toSorted());
});

test('no mutation of the platform alone is open without a fresh signature', () => {
  for (const { name, guards } of mutations) {
    if (!guards.platformSign) continue;
    expect('platform' in guards, name).toBe(false);
  }
  expect(mutations.filter(({ guards }) => guards.platformSign).length).toBeGreaterThan(9);
});

test('no scope of a key opens a field that the role of its issuer does not open', () => {
  const fields = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!].flatMap((type) =>
    Object.values(type.getFields()),
  );
  let compared = 0;
  for (const { name, extensions } of fields) {
    const guards = guardsOf(extensions.pothosOptions);
    const permission = guards.may ?? guards.mayWrite ?? guards.maySign;
    if (!guards.scope || !permission) continue;
    const issuers = ROLES_WITH[NEEDED_FOR_SCOPE[guards.scope]].filter((role) => ROLES_WITH.keys.includes(role));
    expect(
      issuers.filter((role) => !ROLES_WITH[permission].includes(role)),
      `${name}: ${guards.scope}`,
    ).toEqual([]);
    compared++;
  }
  expect(compared).toBeGreaterThan(15);
  expect(ROLE_NAMES.length).toBe(5);
});
