import {
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { schema as served } from '../../src/doors/http/server/schema.ts';

/** A field, argument or input field of the schema, by its schema coordinate. */
interface Member {
  readonly coordinate: string;
  readonly type: GraphQLOutputType | GraphQLInputType;
}

/** Every field, argument and input field of a schema, as in `Receipt.id` and `Query.receipt(receiptId:)`. */
function* membersOf(schema: GraphQLSchema): Generator<Member> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${type.name}.${field.name}`;
      yield { coordinate, type: field.type };
      for (const argument of 'args' in field ? field.args : [])
        yield { coordinate: `${coordinate}(${argument.name}:)`, type: argument.type };
    }
  }
}

/** The members of type Float, by what their fractions are. Other numbers are whole numbers or amounts of `Usd`. */
const FRACTIONS: Readonly<Record<string, readonly string[]>> = {
  'a tax rate from 0 to 1, with up to six decimals': [
    ...['CreateOrderInput.taxRate', 'TerminalReceiptInput.taxRate', 'Receipt.taxRate'],
    ...['TaxComponent.rate', 'TaxComponentInput.rate', 'TaxJurisdiction.rate', 'TaxJurisdictionInput.rate'],
  ],
  'a percentage with two decimals': [
    ...['ShopConfig.processingFeePct', 'ShopConfigInput.processingFeePct', 'SiteConfig.processingFeePct'],
    ...['ShopConfig.tolerancePct', 'ShopConfigInput.tolerancePct'],
    ...['DiscountRule.discountPct', 'DiscountRuleInput.discountPct'],
  ],
  'major units of a native currency, with two decimals': [
    ...['InventoryItem.price', 'InventoryItemInput.price', 'NativeLine.amount', 'Pricing.originalTotal'],
    ...['CurrencyFigures.created', 'CurrencyFigures.gross', 'Refund.amount'],
    ...['NativeLinesInput.total', 'NativeLineInput.amount', 'TerminalReceiptInput.amount', 'TerminalReceiptInput.tip'],
    ...['PaymentLink.amount', 'PaymentLinkContent.amount'],
  ],
  'an exchange rate': ['Pricing.usdPerUnit'],
  'whole tokens with decimals; exact amounts have the type BaseUnits': [
    ...['BillingBalance.available', 'BillingBalance.reserved', 'ReserveBalance.reserved', 'ReserveBalance.target'],
    ...['ReserveBasis.paidOut', 'ReserveBasis.refunded', 'ReserveRecommendation.target'],
    ...['ReceiptStatusReport.amount', 'SplitTransaction.amount', 'SplitTransaction.fees'],
    ...['PricingConfig.ethPer2Min', 'PricingConfigInput.ethPer2Min'],
  ],
  'points, which are earned by cents': [
    ...['User.xp', 'ShopConfig.xpPerDollar', 'ShopConfigInput.xpPerDollar'],
    ...['Query.searchUsers(minXp:)', 'Query.searchUsers(maxXp:)'],
  ],
};

/** Members of type Float that are not known to have fractions, and known ones that the schema does not have. */
export function floatFaults(schema: GraphQLSchema = served, fractions = FRACTIONS): string[] {
  const known = new Set(Object.values(fractions).flat());
  const floats = [...membersOf(schema)].filter(({ type }) => getNamedType(type).name === 'Float');
  const found = new Set(floats.map(({ coordinate }) => coordinate));
  return [
    ...[...found]
      .filter((coordinate) => !known.has(coordinate))
      .map(
        (coordinate) =>
          `schema.graphql: ${coordinate} is a Float: use Int, SafeInt, Millis or Usd, or list its fractions`,
      ),
    ...[...known]
      .filter((coordinate) => !found.has(coordinate))
      .map((coordinate) => `test/gates/schema-types.ts: ${coordinate} is not a Float of the schema`),
  ];
}

/** The object types without an `id`, by why they need none. Every other object type is an entity. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'a part of its parent': [
    ...[
      'AcceptedToken',
      'Alarm',
      'AuditActor',
      'AuditChange',
      'ChainHealth',
      'Collection',
      'FailingEndpoint',
      'GasWallet',
      'OnboardingStep',
      'PaymentPause',
      'PayoutBatch',
      'QueueAge',
      'WalletCall',
    ],
    ...['WatcherProgress'],
    ...[
      'AcceptedDifference',
      'AssignmentPreview',
      'BillingAddress',
      'BillingBalance',
      'BillingUsage',
      'CardSession',
      'Dependencies',
    ],
    ...['DiscountRule', 'CurrencyFigures', 'ReceiptFigures', 'ReceiptStatsGroup', 'ReceiptStatsPeriod'],
    ...[
      'NativeLine',
      'OversoldItem',
      'PaymentLinkItem',
      'PaymentFailure',
      'ChosenToken',
      'PaymentMissing',
      'PaymentOption',
      'PaymentPaid',
      'Pricing',
      'ReceiptLine',
    ],
    ...['PreflightFix', 'PreflightObstacle', 'PreflightTransaction', 'RefundItem', 'ReserveBalance', 'ReserveBasis'],
    ...[
      'ReserveRecommendation',
      'SettlementShare',
      'ShopLink',
      'ShopProfile',
      'ShopTheme',
      'SiteTheme',
      'SpendPermission',
    ],
    ...['SplitRecipient', 'TaxComponent', 'UnmatchedCandidate', 'WebhookAttempt'],
  ],
  'a page of a list': ['EventPage', 'InventoryPage', 'PageInfo', 'UserSearch'],
  'the result of one call': [
    ...['AuthorizationDraft', 'AuthorizedPayment', 'SavedInventoryItem'],
    ...[
      'CancellationRequest',
      'CardCheckout',
      'PlanTokenOption',
      'ChargeBatch',
      'ChargeFailedChain',
      'SavedInventoryItem',
      'ChargeResult',
      'ConfiguredSplit',
      'FollowsInfo',
    ],
    ...[
      'InvitationOffer',
      'IssuedByMember',
      'LoginChallenge',
      'NewApiKey',
      'NewInvitation',
      'PaymentQuote',
      'PermissionDraft',
      'ReleaseRequest',
      'PresenceEvent',
      'ReceiptReevaluation',
      'ReceiptStats',
      'Rescan',
    ],
    ...['Onboarding'],
    ...['ErasedBuyer', 'ReceiptPayment', 'RefundDraft', 'RefundTransaction'],
    ...['SubmittedTransaction'],
    ...['SubscriptionPreflight', 'SubscriptionStatusReport', 'TestPayment', 'WebhookPing'],
    ...['ShopConnectionGrant', 'WebhookEndpointTest', 'WebhookEndpointWithSecret', 'WebhookReplay'],
  ],
};

/** Whether a name is that of an id: `id` or `…Id`, but not the number of a chain or a tax payer. */
const isId = (name: string) => /^id$|Id$/.test(name) && name !== 'chainId' && name !== 'taxId';

/** The last name of a coordinate: `id` in `Receipt.id` and in `Query.inventoryItem(id:)`. */
const nameIn = (coordinate: string): string => /(\w+):?\)?$/.exec(coordinate)?.[1] ?? '';

/** Entities without an `id`, and ids that are not of type ID. */
export function idFaults(schema: GraphQLSchema = served, values = VALUES): string[] {
  const known = new Set(Object.values(values).flat());
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !isIntrospectionType(type) && !roots.includes(type),
  ) as GraphQLObjectType[];
  const without = types
    .filter((type) => type.getFields().id?.type.toString() !== 'ID!' && !/(Connection|Edge)$/.test(type.name))
    .map(({ name }) => name);
  const texts = [...membersOf(schema)].filter(
    ({ coordinate, type }) => isId(nameIn(coordinate)) && getNamedType(type).name !== 'ID',
  );
  return [
    ...without
      .filter((name) => !known.has(name))
      .map((name) => `schema.graphql: ${name} has no id: ID!, and is not listed as a value`),
    ...[...known]
      .filter((name) => !without.includes(name))
      .map((name) => `test/gates/schema-types.ts: ${name} is no type without an id`),
    ...texts.map(({ coordinate }) => `schema.graphql: ${coordinate} is not of type ID`),
  ];
}

/** Names of fields and arguments that usually have a closed vocabulary. */
const WORD =
  /^(status|state|kind|type|code|category|provider|event|scopes?|roles?|period|reason|currency|\w+(Status|Kind|Currency|Code|Failure))$/;

/** The texts among them, by why their words are not fixed. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  'a word of the merchant': [
    ...['Mutation.reportTracking(status:)', 'InventoryItem.category', 'InventoryItemInput.category'],
    ...['Query.inventory(category:)', 'Query.inventoryPage(category:)'],
    ...['InventoryItem.jurisdictionCode', 'InventoryItemInput.jurisdictionCode', 'Receipt.jurisdictionCode'],
    ...['CreateOrderInput.jurisdictionCode', 'TerminalReceiptInput.jurisdictionCode'],
    ...['CreatePaymentLinkInput.jurisdictionCode', 'PaymentLink.jurisdictionCode'],
    ...['TaxJurisdiction.code', 'TaxJurisdictionInput.code', 'Mutation.deleteJurisdiction(code:)'],
    ...['TaxComponent.code', 'TaxComponentInput.code'],
  ],
  'the symbol of a token, which the operator configures': [
    ...['BillingBalance.currency', 'ReserveBalance.currency', 'ReserveRecommendation.currency'],
    ...['ReceiptStatusReport.currency', 'SplitTransaction.currency'],
  ],
  'the name of an event as it is sent, which endpoints choose by patterns': [
    'ReplayWebhooksInput.kind',
    'WebhookDelivery.status',
    'PlatformReplayInput.kind',
  ],
  'a sentence for people': [
    'PaymentFailure.reason',
    'PaymentPause.reason',
    'Mutation.pausePayments(reason:)',
    'Mutation.suspendMerchant(reason:)',
    'Mutation.voidReceipt(reason:)',
    'Mutation.replaceReceipt(reason:)',
  ],
  'a secret': ['MerchantInvite.code', 'RegisterMerchantInput.code', 'Mutation.exchangeConnectCode(code:)'],
  'a text that goes back to its sender': ['ConnectShopInput.state'],
  'a part of an address': ['BillingAddress.state', 'BillingAddressInput.state'],
};

/** Closed vocabularies that are texts. */
export function vocabularyFaults(schema: GraphQLSchema = served, open = OPEN): string[] {
  const known = new Set(Object.values(open).flat());
  const texts = [...membersOf(schema)]
    .filter(({ coordinate, type }) => WORD.test(nameIn(coordinate)) && getNamedType(type).name === 'String')
    .map(({ coordinate }) => coordinate);
  return [
    ...texts
      .filter((coordinate) => !known.has(coordinate))
      .map(
        (coordinate) => `schema.graphql: ${coordinate} is a String: make its vocabulary an enum, or list it as open`,
      ),
    ...[...known]
      .filter((coordinate) => !texts.includes(coordinate))
      .map((coordinate) => `test/gates/schema-types.ts: ${coordinate} is not a String of the schema`),
  ];
}
