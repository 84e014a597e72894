import { readFileSync } from 'node:fs';
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  print,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Caller, Page } from '../../src/base/core/caller.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { createExecutor } from '../../src/base/graphql/execute.ts';
import { pagesOf } from '../../src/base/graphql/page-fields.ts';
import { schema } from '../../src/doors/http/server/schema.ts';

const GUARDS: Readonly<Record<Page, readonly string[]>> = {
  receipt: ['buyer', 'buyerWrite'],
  receipt_read_only: ['buyer'],
  plan: ['subscriber'],
  live: ['visitor'],
};

/** The root fields that the guards open to a page, and every field below them that its token reads. */
function reach(page: Page): Record<string, string> {
  const found = new Map<GraphQLObjectType, string[]>();
  const walk = (output: GraphQLOutputType): void => {
    const type = getNamedType(output);
    if (!isObjectType(type) || found.has(type)) return;
    const fields = Object.values(type.getFields()).filter((field) => pagesOf(type, field).includes(page));
    found.set(
      type,
      fields.map(({ name }) => name),
    );
    for (const field of fields) walk(field.type);
  };
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    const open = Object.values(root?.getFields() ?? {}).filter((field) => {
      const { authScopes } = field.extensions.pothosOptions as { authScopes: Record<string, unknown> };
      return GUARDS[page].some((guard) => authScopes[guard] === true);
    });
    for (const field of open) walk(field.type);
    if (root && open.length > 0)
      found.set(
        root,
        open.map(({ name }) => name),
      );
  }
  return Object.fromEntries(
    [...found]
      .sort(([a], [b]) => (a.name < b.name ? -1 : 1))
      .map(([type, names]) => [type.name, [...names].sort().join(' ')]),
  );
}

const READ_ONLY = {
  CardSession: 'expiresAt provider status',
  Mutation: 'quotePayment renewQuote submitTransaction',
  NativeLine: 'amount label qty',
  PaymentFailure: 'action category code reason',
  PaymentMissing: 'amount display token',
  PaymentPaid: 'amount display token',
  PaymentQuote: 'amount chainId decimals display expiresAt payTo qr token uri',
  Pricing: 'currency originalLineItems originalTotal provider quotedAt usdPerUnit version',
  Query: 'receipt receiptStatusReport',
  Receipt:
    'brandName buyerWallet cardSession chainId closedAt confirmationTag confirmations confirmationsNeeded createdAt currency expectedConfirmationMs expiresAt failure history id jurisdictionCode language lineItems merchant missing paid pricing receiptId receivedUsd recordStatus refundedUsd refunds seq settlement status taxComponents taxRate totalUsd transactionHash transactionId transactionTimestamp transactionUrl',
  ReceiptLine: 'label priceUsd qty thumb thumbUrl',
  ReceiptStatusEvent: 'at kind previousStatus receiptId seq status tracking transactionHash',
  ReceiptStatusReport: 'amount currency endedAt failure id receiptId status transactionHash',
  Refund: 'buyer createdAt items refundedAt state transactionHashes usd',
  RefundItem: 'label priceUsd qty',
  SettlementShare:
    'chainId display owed recipient released settledAt sharesBps split token transactionHash transactionUrl',
  SubmittedTransaction: 'receiptId status',
  Subscription: 'receiptStatus',
};

const EXPECTED: Readonly<Record<Page, Record<string, string>>> = {
  receipt_read_only: READ_ONLY,
  receipt: {
    ...READ_ONLY,
    AuthorizationDraft: 'from nonce to typedData validAfter validBefore value',
    AuthorizedPayment: 'receiptId state transactionHash',
    BillingAddress: 'city country email firstName lastName line1 line2 phone state zip',
    CardCheckout: 'expiresAt failure opensInNewTab provider url',
    Mutation:
      'draftAuthorization payByAuthorization payWithTestWallet quotePayment renewQuote renewReceipt reportFailure reportTracking setBuyerEmail startCardCheckout submitTransaction',
    Receipt: [
      ...READ_ONLY.Receipt.split(' '),
      ...['billingAddress', 'customerTotalUsd', 'isOnrampSessionUnique', 'onrampSessionId'],
      ...['onrampSourceAmountUsd', 'successUrl'],
    ]
      .sort()
      .join(' '),
    TestPayment: 'transactionHash',
  },
  plan: {
    CancellationRequest: 'expiresAt typedData',
    Mutation: 'cancelSubscription createSubscription',
    PermissionDraft: 'approval chainId draftToken permission permissionHash typedData',
    Plan: 'active createdAt description id merchant name period planId priceUsd',
    PlanConnection: '',
    PlanSubscription:
      'chainId chargeCount createdAt customerWallet firstCharge id lastChargedAt lastFailure merchantWallet nextChargeAt period permission permissionHash planId priceUsd status subscriptionId totalChargedUsd updatedAt',
    PreflightFix: 'address amount spender transactions',
    PreflightObstacle: 'code fix message',
    PreflightTransaction: 'data to',
    Query:
      'activePlans cancellationRequest permissionDraft plan plans subscription subscriptionPreflight subscriptionStatusReport',
    SpendPermission: 'account allowance end extraData period salt spender start token',
    SubscriptionPreflight: 'amount balance chainId decimals obstacles ready smartAccount token tokenAddress',
    SubscriptionStatusReport: 'subscription subscriptions',
  },
  live: {
    PresenceEvent: 'at kind user wallet',
    Query: 'liveUsers',
    Subscription: 'livePresence',
    User: 'displayName id languages live liveSince pfpUrl platform spaceUrl wallet xp',
  },
};

const merchant = `0x${'ab'.repeat(20)}` as Wallet;
const HOLDERS: Readonly<Record<Page, Caller>> = {
  receipt: { kind: 'buyer', merchant, receiptId: 'r' },
  receipt_read_only: { kind: 'buyer', merchant, receiptId: 'r', readOnly: true },
  plan: { kind: 'subscriber', merchant, planId: 'p' },
  live: { kind: 'visitor' },
};

const executor = createExecutor(schema);

/** Each field of an object type, selected below a root field that leads there: with what the check says to the page. */
function refusalsOf(page: Page): Record<string, string> {
  const passed = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const walk = (type: GraphQLObjectType, around: (inner: string) => string): void => {
    if (seen.has(type.name)) return;
    seen.add(type.name);
    const names = passed.set(type.name, new Set()).get(type.name) as Set<string>;
    for (const field of Object.values(type.getFields())) {
      const below = getNamedType(field.type);
      const inner = isObjectType(below) ? `${field.name} { __typename }` : field.name;
      const prepared = executor.prepare(around(inner));
      if ('errors' in prepared) throw new Error(`${type.name}.${field.name}: ${prepared.errors[0]?.message}`);
      if (prepared.pageRefusal(HOLDERS[page]) !== null) continue;
      names.add(field.name);
      if (isObjectType(below)) walk(below, (more) => around(`${field.name} { ${more} }`));
    }
  };
  for (const [operation, root] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const) {
    for (const name of EXPECTED[page][root?.name ?? '']?.split(' ') ?? []) {
      const field = root?.getFields()[name];
      const type = getNamedType(field?.type as GraphQLOutputType);
      const required = field?.args.filter((arg) => String(arg.type).endsWith('!')) ?? [];
      const variables = required.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
      const args = required.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
      const head = `${operation} ${variables && `(${variables})`} { ${name}${args && `(${args})`}`;
      if (isObjectType(type)) walk(type, (inner) => `${head} { ${inner} } }`);
    }
  }
  return Object.fromEntries([...passed].map(([type, names]) => [type, [...names].sort().join(' ')]));
}

describe.each(Object.keys(EXPECTED) as Page[])('the token of the page %s', (page) => {
  test('reaches these fields of the schema and no other', () => {
    expect(reach(page)).toEqual(EXPECTED[page]);
  });

  test('is refused every field that is not on the list, whatever the operation around it', () => {
    const { Query, Mutation, Subscription, ...types } = EXPECTED[page];
    expect(refusalsOf(page)).toEqual(types);
  });
});

test('a field is found behind aliases, fragments, inline fragments and directives', () => {
  const texts = [
    '{ receipt(receiptId: "r") { status: metadata } }',
    '{ receipt(receiptId: "r") { ...on Receipt { ... { metadata } } } }',
    '{ receipt(receiptId: "r") { ...a } } fragment a on Receipt { ...b status } fragment b on Receipt { metadata }',
    'query ($no: Boolean = false) { receipt(receiptId: "r") { status metadata @include(if: $no) } }',
    '{ ...q } fragment q on Query { receipt(receiptId: "r") { metadata } }',
  ];
  for (const text of texts) {
    const prepared = executor.prepare(text);
    if ('errors' in prepared) throw prepared.errors[0];
    expect([text, prepared.pageRefusal(HOLDERS.receipt)?.message]).toEqual([
      text,
      'This page does not show Receipt.metadata',
    ]);
    expect(prepared.pageRefusal({ kind: 'anonymous' })).toBeNull();
  }
});

test('the payment page may run every operation of its script, and a read-only page may read and ask for a quote', () => {
  const file = new URL('../../src/doors/pages/portal/operations.graphql', import.meta.url);
  const { definitions } = parse(readFileSync(file, 'utf8'));
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const texts = definitions
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map((operation) => {
      const used = fragments.filter((fragment) => print(operation).includes(`...${fragment.name.value}`));
      return [operation, ...used].map(print).join('\n');
    });
  expect(texts.length).toBeGreaterThan(8);
  const refused = (page: Page) =>
    texts.filter((text) => {
      const prepared = executor.prepare(text);
      if ('errors' in prepared) throw prepared.errors[0];
      return prepared.pageRefusal(HOLDERS[page]) !== null;
    });
  expect(refused('receipt')).toEqual([]);
  const named = refused('receipt_read_only').map((text) => /Portal(\w+)/.exec(text)?.[1]);
  expect(
    named.filter((name) => ['Receipt', 'Quote', 'RenewQuote', 'Public', 'Submit', 'Status'].includes(name as string)),
  ).toEqual([]);
});
