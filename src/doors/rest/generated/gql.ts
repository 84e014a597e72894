/* eslint-disable */
import * as types from './graphql.ts';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "query BillingBalance {\n  billing {\n    balances {\n      currency\n      available\n      reserved\n    }\n    usage {\n      monthUsd\n      orders\n      feesUsd\n      lastUpdatedAt\n    }\n  }\n}": typeof types.BillingBalanceDocument,
    "mutation CancelSubscription($input: CancelSubscriptionInput!) {\n  cancelSubscription(input: $input) {\n    ...SubscriptionRecord\n  }\n}": typeof types.CancelSubscriptionDocument,
    "mutation ChargeDueSubscriptions {\n  chargeDueSubscriptions {\n    processed\n    succeeded\n    failed\n    durationMs\n    results {\n      ...ChargeRecord\n    }\n    failedChains {\n      chainId\n      reason\n    }\n  }\n}": typeof types.ChargeDueSubscriptionsDocument,
    "fragment ChargeRecord on ChargeResult {\n  success\n  subscriptionId\n  chargeId\n  transactionHash\n  amountUsd\n  feeUsd\n  nextChargeAt\n  reason\n  failureCode\n}": typeof types.ChargeRecordFragmentDoc,
    "mutation ChargeSubscription($subscriptionId: ID!) {\n  chargeSubscription(subscriptionId: $subscriptionId) {\n    success\n    subscriptionId\n    chargeId\n    transactionHash\n    amountUsd\n    feeUsd\n    nextChargeAt\n    reason\n    failureCode\n  }\n}": typeof types.ChargeSubscriptionDocument,
    "query CheckPayment($receiptId: ID!) {\n  checkPayment(receiptId: $receiptId) {\n    receiptId\n    status\n    paid\n    transactionHash\n  }\n}": typeof types.CheckPaymentDocument,
    "mutation CreateOrder($input: CreateOrderInput!, $idempotencyKey: String) {\n  createOrder(input: $input, idempotencyKey: $idempotencyKey) {\n    ...NewReceiptRecord\n    paymentUrl\n    expiresAt\n  }\n}": typeof types.CreateOrderDocument,
    "mutation CreatePlan($input: CreatePlanInput!) {\n  createPlan(input: $input) {\n    ...PlanRecord\n  }\n}": typeof types.CreatePlanDocument,
    "mutation CreateReceipt($input: CreateReceiptInput!) {\n  createReceipt(input: $input) {\n    ...CreatedReceiptRecord\n  }\n}": typeof types.CreateReceiptDocument,
    "mutation CreateSubscription($input: CreateSubscriptionInput!, $idempotencyKey: String) {\n  createSubscription(input: $input, idempotencyKey: $idempotencyKey) {\n    subscriptionId\n    status\n    nextChargeAt\n  }\n}": typeof types.CreateSubscriptionDocument,
    "mutation CreateTerminalReceipt($input: TerminalReceiptInput!, $idempotencyKey: String) {\n  createTerminalReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n    ...NewReceiptRecord\n    paymentUrl\n    expiresAt\n  }\n}": typeof types.CreateTerminalReceiptDocument,
    "mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!, $idempotencyKey: String) {\n  createWebhookEndpoint(input: $input, idempotencyKey: $idempotencyKey) {\n    endpoint {\n      ...WebhookEndpointRecord\n    }\n    secret\n  }\n}": typeof types.CreateWebhookEndpointDocument,
    "fragment CreatedReceiptRecord on Receipt {\n  id: receiptId\n  paymentUrl\n  status: recordStatus\n  redirectUrl\n  webhookUrl\n}": typeof types.CreatedReceiptRecordFragmentDoc,
    "mutation DeactivatePlan($planId: ID!) {\n  deactivatePlan(planId: $planId) {\n    ...PlanRecord\n  }\n}": typeof types.DeactivatePlanDocument,
    "mutation DeleteInventoryItem($id: ID!) {\n  deleteInventoryItem(id: $id)\n}": typeof types.DeleteInventoryItemDocument,
    "mutation DeleteWebhookEndpoint($endpointId: ID!) {\n  deleteWebhookEndpoint(endpointId: $endpointId)\n}": typeof types.DeleteWebhookEndpointDocument,
    "mutation DeploySplit($input: SplitInput!) {\n  deploySplit(input: $input) {\n    split {\n      ...SplitRecord\n    }\n    idempotent\n  }\n}": typeof types.DeploySplitDocument,
    "query Events($after: String, $limit: Int) {\n  events(after: $after, limit: $limit) {\n    events {\n      id\n      type\n      createdAt\n      data\n    }\n    nextCursor\n  }\n}": typeof types.EventsDocument,
    "query Inventory($q: String, $category: String, $taxable: Boolean, $stock: StockFilter, $priceMin: Usd, $priceMax: Usd, $tags: [String!], $tagsMode: TagsMode, $sort: InventorySort, $order: SortOrder, $limit: Int, $page: Int) {\n  inventoryPage(\n    q: $q\n    category: $category\n    taxable: $taxable\n    stock: $stock\n    priceMin: $priceMin\n    priceMax: $priceMax\n    tags: $tags\n    tagsMode: $tagsMode\n    sort: $sort\n    order: $order\n    limit: $limit\n    page: $page\n  ) {\n    items {\n      ...ItemRecord\n    }\n    total\n    page\n    pageSize\n  }\n}": typeof types.InventoryDocument,
    "mutation IssueKey($input: IssueKeyInput!, $idempotencyKey: String) {\n  issueKey(input: $input, idempotencyKey: $idempotencyKey) {\n    key {\n      ...KeyRecord\n    }\n    secret\n  }\n}": typeof types.IssueKeyDocument,
    "fragment ItemRecord on InventoryItem {\n  id\n  sku\n  name\n  priceUsd\n  price\n  currency\n  stockQty\n  taxable\n  category\n  description\n  tags\n  images\n  thumb\n  attributes\n  costUsd\n  jurisdictionCode\n  createdAt\n  updatedAt\n  wallet\n}": typeof types.ItemRecordFragmentDoc,
    "fragment KeyRecord on ApiKey {\n  keyId\n  label\n  scopes\n  writes\n  state\n  createdAt\n  lastUsedAt\n  expiresAt\n  revokedAt\n  replacedBy\n  origins\n  addresses\n  trustedOnly\n}": typeof types.KeyRecordFragmentDoc,
    "query Keys($first: Int!, $after: String) {\n  keys(first: $first, after: $after) {\n    nodes {\n      ...KeyRecord\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n}": typeof types.KeysDocument,
    "fragment LiveUserRecord on User {\n  wallet\n  displayName\n  pfpUrl\n  spaceUrl\n  liveSince\n  lastHeartbeat\n  languages\n  domains\n  platform\n  spacePublic\n}": typeof types.LiveUserRecordFragmentDoc,
    "query LiveUsers {\n  liveUsers {\n    ...LiveUserRecord\n  }\n}": typeof types.LiveUsersDocument,
    "mutation Login($wallet: Wallet!, $nonce: String!, $signature: Hex!) {\n  login(wallet: $wallet, nonce: $nonce, signature: $signature) {\n    wallet\n    roles\n    csrfToken\n  }\n}": typeof types.LoginDocument,
    "mutation LoginChallenge($wallet: Wallet!) {\n  loginChallenge(wallet: $wallet) {\n    nonce\n    expiresAt\n    typedData\n  }\n}": typeof types.LoginChallengeDocument,
    "mutation Logout {\n  logout\n}": typeof types.LogoutDocument,
    "query Me {\n  me {\n    wallet\n    roles\n    merchant\n  }\n}": typeof types.MeDocument,
    "fragment NewReceiptLineRecord on ReceiptLine {\n  label\n  priceUsd\n  qty\n  thumb\n  itemId\n  sku\n}": typeof types.NewReceiptLineRecordFragmentDoc,
    "fragment NewReceiptRecord on Receipt {\n  ...ReceiptRecord\n  lineItems {\n    ...NewReceiptLineRecord\n  }\n}": typeof types.NewReceiptRecordFragmentDoc,
    "query Payouts($first: Int, $after: String, $filter: PayoutFilter) {\n  payouts(first: $first, after: $after, filter: $filter) {\n    nodes {\n      receiptId\n      recipient\n      sharesBps\n      split\n      chainId\n      token\n      decimals\n      amount\n      display\n      state\n      waitsFor\n      requestedAt\n      createdAt\n      releasedAt\n      transactionHash\n      transactionUrl\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}": typeof types.PayoutsDocument,
    "fragment PlanRecord on Plan {\n  planId\n  name\n  description\n  priceUsd\n  period\n  active\n  createdAt\n}": typeof types.PlanRecordFragmentDoc,
    "query Plans($wallet: Wallet!) {\n  activePlans(wallet: $wallet) {\n    ...PlanRecord\n  }\n}": typeof types.PlansDocument,
    "query PricingConfig {\n  pricingConfig {\n    ...PricingConfigRecord\n  }\n}": typeof types.PricingConfigDocument,
    "fragment PricingConfigRecord on PricingConfig {\n  nativeCurrency\n  ethPer2Min\n  minMinutes\n  discountRules {\n    minMinutes\n    discountPct\n  }\n  updatedAt\n}": typeof types.PricingConfigRecordFragmentDoc,
    "fragment PricingRecord on Pricing {\n  version\n  currency\n  usdPerUnit\n  quotedAt\n  provider\n  originalTotal\n  originalLineItems {\n    label\n    amount\n    qty\n  }\n}": typeof types.PricingRecordFragmentDoc,
    "query Receipt($receiptId: ID!) {\n  receipt(receiptId: $receiptId) {\n    ...ReceiptRecord\n    expiresAt\n    lineItems {\n      label\n      priceUsd\n    }\n    transactionHash\n    transactionTimestamp\n    billingAddress {\n      firstName\n      lastName\n      phone\n      email\n      line1\n      line2\n      city\n      state\n      zip\n      country\n    }\n  }\n}": typeof types.ReceiptDocument,
    "fragment ReceiptRecord on Receipt {\n  receiptId\n  totalUsd\n  currency\n  createdAt\n  brandName\n  status: recordStatus\n  jurisdictionCode\n  taxRate\n  taxComponents\n  pricing {\n    ...PricingRecord\n  }\n  transactionId\n  metadata\n}": typeof types.ReceiptRecordFragmentDoc,
    "query ReceiptStatus($receiptId: ID!) {\n  receiptStatusReport(receiptId: $receiptId) {\n    id: receiptId\n    status\n    transactionHash\n    currency\n    amount\n    failure {\n      failureCode: code\n      failureCategory: category\n      failureReason: reason\n      failureAction: action\n    }\n  }\n}": typeof types.ReceiptStatusDocument,
    "fragment ReceiptSummaryRecord on Receipt {\n  receiptId\n  totalUsd\n  currency\n  lineItems {\n    label\n    priceUsd\n  }\n  createdAt\n  brandName\n  status: recordStatus\n}": typeof types.ReceiptSummaryRecordFragmentDoc,
    "query Receipts($first: Int, $after: String, $filter: ReceiptFilter, $orderBy: ReceiptOrder, $paged: Boolean!) {\n  receipts(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n    nodes {\n      ...ReceiptSummaryRecord\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    page: pageInfo @include(if: $paged) {\n      hasNextPage\n      endCursor\n    }\n  }\n}": typeof types.ReceiptsDocument,
    "mutation RefundReceipt($input: RefundReceiptInput!, $idempotencyKey: String) {\n  refundReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n    receiptId\n  }\n}": typeof types.RefundReceiptDocument,
    "mutation ReportTracking($receiptId: ID!, $status: String!) {\n  reportTracking(receiptId: $receiptId, status: $status) {\n    receiptId\n  }\n}": typeof types.ReportTrackingDocument,
    "query ReserveBalances {\n  reserve {\n    balances {\n      currency\n      reserved\n      target\n    }\n    updatedAt\n  }\n}": typeof types.ReserveBalancesDocument,
    "query ReserveRecommend {\n  reserveAdvice {\n    recommendations {\n      currency\n      target\n      basis {\n        refunded\n        paidOut\n      }\n    }\n    windowDays\n    updatedAt\n  }\n}": typeof types.ReserveRecommendDocument,
    "mutation RevokeKey($keyId: ID!) {\n  revokeKey(keyId: $keyId) {\n    ...KeyRecord\n  }\n}": typeof types.RevokeKeyDocument,
    "mutation RotateKey($keyId: ID!, $overlapHours: Int, $idempotencyKey: String) {\n  rotateKey(\n    keyId: $keyId\n    overlapHours: $overlapHours\n    idempotencyKey: $idempotencyKey\n  ) {\n    key {\n      ...KeyRecord\n    }\n    secret\n  }\n}": typeof types.RotateKeyDocument,
    "mutation RotateWebhookSecret($endpointId: ID!, $overlapHours: Int, $idempotencyKey: String) {\n  rotateWebhookSecret(\n    endpointId: $endpointId\n    overlapHours: $overlapHours\n    idempotencyKey: $idempotencyKey\n  ) {\n    endpoint {\n      ...WebhookEndpointRecord\n    }\n    secret\n  }\n}": typeof types.RotateWebhookSecretDocument,
    "mutation SaveInventoryItem($input: InventoryItemInput!) {\n  saveInventoryItem(input: $input) {\n    ...ItemRecord\n  }\n}": typeof types.SaveInventoryItemDocument,
    "query SearchUsers($q: String, $domains: [String!], $platforms: [String!], $languages: [String!], $minXp: Float, $maxXp: Float, $live: Boolean, $limit: Int, $scan: Int) {\n  searchUsers(\n    q: $q\n    domains: $domains\n    platforms: $platforms\n    languages: $languages\n    minXp: $minXp\n    maxXp: $maxXp\n    live: $live\n    limit: $limit\n    scan: $scan\n  ) {\n    users {\n      wallet\n      displayName\n      pfpUrl\n      xp\n      live\n      lastSeen\n      lastHeartbeat\n      domains\n      platforms\n      languages\n      spacePublic\n    }\n    total\n  }\n}": typeof types.SearchUsersDocument,
    "query ShopConfig {\n  shopConfig {\n    ...ShopRecord\n  }\n}": typeof types.ShopConfigDocument,
    "fragment ShopRecord on ShopConfig {\n  name\n  description\n  bio\n  theme {\n    primaryColor\n    secondaryColor\n    textColor\n    accentColor\n    brandLogoUrl\n    coverPhotoUrl\n    fontFamily\n    logoShape\n    heroFontSize\n  }\n  arrangement\n  xpPerDollar\n  slug\n  links {\n    label\n    url\n  }\n  processingFeePct\n  setupComplete\n  postPaymentScripts\n  allowRenewal\n  holdStock\n  gasless\n  paymentTokens {\n    chainId\n    token\n  }\n  lateHours\n  tolerancePct\n  toleranceUsd\n  createdAt\n  updatedAt\n}": typeof types.ShopRecordFragmentDoc,
    "query SiteConfig {\n  siteConfig {\n    theme {\n      primaryColor\n      secondaryColor\n      brandLogoUrl\n      brandFaviconUrl\n      brandName\n      fontFamily\n      receiptBackgroundUrl\n    }\n    brandKey\n    processingFeePct\n    defaultPaymentToken\n    reserveRatios\n  }\n}": typeof types.SiteConfigDocument,
    "query Split {\n  split {\n    ...SplitRecord\n  }\n}": typeof types.SplitDocument,
    "fragment SplitRecord on Split {\n  address\n  recipients {\n    address\n    sharesBps\n  }\n}": typeof types.SplitRecordFragmentDoc,
    "query SplitTransactions($address: String) {\n  splitTransactions(address: $address, receiptAddresses: false, first: 200) {\n    nodes {\n      id\n      receiptId\n      amount\n      currency\n      status\n      timestamp\n      transactionHash\n      fees\n    }\n  }\n}": typeof types.SplitTransactionsDocument,
    "query StatusPing {\n  statusPing {\n    status\n    version\n    time\n    merchant\n    scopes\n    dependencies {\n      database\n      redis\n      chain\n      watcher\n    }\n  }\n}": typeof types.StatusPingDocument,
    "fragment SubscriptionRecord on PlanSubscription {\n  subscriptionId\n  planId\n  merchantWallet\n  customerWallet\n  priceUsd\n  period\n  chainId\n  status\n  nextChargeAt\n  lastChargedAt\n  chargeCount\n  totalChargedUsd\n  createdAt\n  updatedAt\n}": typeof types.SubscriptionRecordFragmentDoc,
    "query SubscriptionStatus($of: SubscriptionStatusOf!, $limit: Int, $page: Int) {\n  subscriptionStatusReport(of: $of, limit: $limit, page: $page) {\n    subscription {\n      ...SubscriptionRecord\n    }\n    subscriptions {\n      ...SubscriptionRecord\n    }\n  }\n}": typeof types.SubscriptionStatusDocument,
    "query TaxCatalog {\n  taxCatalog {\n    jurisdictions {\n      code\n      displayName\n      rate\n      components {\n        code\n        rate\n      }\n      updatedAt\n    }\n  }\n}": typeof types.TaxCatalogDocument,
    "mutation TestWebhookEndpoint($endpointId: ID!) {\n  testWebhookEndpoint(endpointId: $endpointId) {\n    eventId\n    body\n    ok\n    at\n    durationMs\n    statusCode\n    error\n    answer\n  }\n}": typeof types.TestWebhookEndpointDocument,
    "mutation UpdatePlan($input: UpdatePlanInput!) {\n  updatePlan(input: $input) {\n    ...PlanRecord\n  }\n}": typeof types.UpdatePlanDocument,
    "mutation UpdatePricingConfig($input: PricingConfigInput!) {\n  updatePricingConfig(input: $input) {\n    ...PricingConfigRecord\n  }\n}": typeof types.UpdatePricingConfigDocument,
    "mutation UpdateShopConfig($input: ShopConfigInput!) {\n  updateShopConfig(input: $input) {\n    ...ShopRecord\n  }\n}": typeof types.UpdateShopConfigDocument,
    "mutation UpdateWebhookEndpoint($endpointId: ID!, $input: UpdateWebhookEndpointInput!) {\n  updateWebhookEndpoint(endpointId: $endpointId, input: $input) {\n    ...WebhookEndpointRecord\n  }\n}": typeof types.UpdateWebhookEndpointDocument,
    "query WebhookEndpoint($endpointId: ID!) {\n  webhookEndpoint(endpointId: $endpointId) {\n    ...WebhookEndpointRecord\n  }\n}": typeof types.WebhookEndpointDocument,
    "fragment WebhookEndpointRecord on WebhookEndpoint {\n  id\n  url\n  description\n  kinds\n  enabled\n  disabledReason\n  disabledAt\n  failingSince\n  previousSecretUntil\n  createdAt\n  updatedAt\n}": typeof types.WebhookEndpointRecordFragmentDoc,
    "query WebhookEndpoints {\n  webhookEndpoints {\n    ...WebhookEndpointRecord\n  }\n}": typeof types.WebhookEndpointsDocument,
};
const documents: Documents = {
    "query BillingBalance {\n  billing {\n    balances {\n      currency\n      available\n      reserved\n    }\n    usage {\n      monthUsd\n      orders\n      feesUsd\n      lastUpdatedAt\n    }\n  }\n}": types.BillingBalanceDocument,
    "mutation CancelSubscription($input: CancelSubscriptionInput!) {\n  cancelSubscription(input: $input) {\n    ...SubscriptionRecord\n  }\n}": types.CancelSubscriptionDocument,
    "mutation ChargeDueSubscriptions {\n  chargeDueSubscriptions {\n    processed\n    succeeded\n    failed\n    durationMs\n    results {\n      ...ChargeRecord\n    }\n    failedChains {\n      chainId\n      reason\n    }\n  }\n}": types.ChargeDueSubscriptionsDocument,
    "fragment ChargeRecord on ChargeResult {\n  success\n  subscriptionId\n  chargeId\n  transactionHash\n  amountUsd\n  feeUsd\n  nextChargeAt\n  reason\n  failureCode\n}": types.ChargeRecordFragmentDoc,
    "mutation ChargeSubscription($subscriptionId: ID!) {\n  chargeSubscription(subscriptionId: $subscriptionId) {\n    success\n    subscriptionId\n    chargeId\n    transactionHash\n    amountUsd\n    feeUsd\n    nextChargeAt\n    reason\n    failureCode\n  }\n}": types.ChargeSubscriptionDocument,
    "query CheckPayment($receiptId: ID!) {\n  checkPayment(receiptId: $receiptId) {\n    receiptId\n    status\n    paid\n    transactionHash\n  }\n}": types.CheckPaymentDocument,
    "mutation CreateOrder($input: CreateOrderInput!, $idempotencyKey: String) {\n  createOrder(input: $input, idempotencyKey: $idempotencyKey) {\n    ...NewReceiptRecord\n    paymentUrl\n    expiresAt\n  }\n}": types.CreateOrderDocument,
    "mutation CreatePlan($input: CreatePlanInput!) {\n  createPlan(input: $input) {\n    ...PlanRecord\n  }\n}": types.CreatePlanDocument,
    "mutation CreateReceipt($input: CreateReceiptInput!) {\n  createReceipt(input: $input) {\n    ...CreatedReceiptRecord\n  }\n}": types.CreateReceiptDocument,
    "mutation CreateSubscription($input: CreateSubscriptionInput!, $idempotencyKey: String) {\n  createSubscription(input: $input, idempotencyKey: $idempotencyKey) {\n    subscriptionId\n    status\n    nextChargeAt\n  }\n}": types.CreateSubscriptionDocument,
    "mutation CreateTerminalReceipt($input: TerminalReceiptInput!, $idempotencyKey: String) {\n  createTerminalReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n    ...NewReceiptRecord\n    paymentUrl\n    expiresAt\n  }\n}": types.CreateTerminalReceiptDocument,
    "mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!, $idempotencyKey: String) {\n  createWebhookEndpoint(input: $input, idempotencyKey: $idempotencyKey) {\n    endpoint {\n      ...WebhookEndpointRecord\n    }\n    secret\n  }\n}": types.CreateWebhookEndpointDocument,
    "fragment CreatedReceiptRecord on Receipt {\n  id: receiptId\n  paymentUrl\n  status: recordStatus\n  redirectUrl\n  webhookUrl\n}": types.CreatedReceiptRecordFragmentDoc,
    "mutation DeactivatePlan($planId: ID!) {\n  deactivatePlan(planId: $planId) {\n    ...PlanRecord\n  }\n}": types.DeactivatePlanDocument,
    "mutation DeleteInventoryItem($id: ID!) {\n  deleteInventoryItem(id: $id)\n}": types.DeleteInventoryItemDocument,
    "mutation DeleteWebhookEndpoint($endpointId: ID!) {\n  deleteWebhookEndpoint(endpointId: $endpointId)\n}": types.DeleteWebhookEndpointDocument,
    "mutation DeploySplit($input: SplitInput!) {\n  deploySplit(input: $input) {\n    split {\n      ...SplitRecord\n    }\n    idempotent\n  }\n}": types.DeploySplitDocument,
    "query Events($after: String, $limit: Int) {\n  events(after: $after, limit: $limit) {\n    events {\n      id\n      type\n      createdAt\n      data\n    }\n    nextCursor\n  }\n}": types.EventsDocument,
    "query Inventory($q: String, $category: String, $taxable: Boolean, $stock: StockFilter, $priceMin: Usd, $priceMax: Usd, $tags: [String!], $tagsMode: TagsMode, $sort: InventorySort, $order: SortOrder, $limit: Int, $page: Int) {\n  inventoryPage(\n    q: $q\n    category: $category\n    taxable: $taxable\n    stock: $stock\n    priceMin: $priceMin\n    priceMax: $priceMax\n    tags: $tags\n    tagsMode: $tagsMode\n    sort: $sort\n    order: $order\n    limit: $limit\n    page: $page\n  ) {\n    items {\n      ...ItemRecord\n    }\n    total\n    page\n    pageSize\n  }\n}": types.InventoryDocument,
    "mutation IssueKey($input: IssueKeyInput!, $idempotencyKey: String) {\n  issueKey(input: $input, idempotencyKey: $idempotencyKey) {\n    key {\n      ...KeyRecord\n    }\n    secret\n  }\n}": types.IssueKeyDocument,
    "fragment ItemRecord on InventoryItem {\n  id\n  sku\n  name\n  priceUsd\n  price\n  currency\n  stockQty\n  taxable\n  category\n  description\n  tags\n  images\n  thumb\n  attributes\n  costUsd\n  jurisdictionCode\n  createdAt\n  updatedAt\n  wallet\n}": types.ItemRecordFragmentDoc,
    "fragment KeyRecord on ApiKey {\n  keyId\n  label\n  scopes\n  writes\n  state\n  createdAt\n  lastUsedAt\n  expiresAt\n  revokedAt\n  replacedBy\n  origins\n  addresses\n  trustedOnly\n}": types.KeyRecordFragmentDoc,
    "query Keys($first: Int!, $after: String) {\n  keys(first: $first, after: $after) {\n    nodes {\n      ...KeyRecord\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n}": types.KeysDocument,
    "fragment LiveUserRecord on User {\n  wallet\n  displayName\n  pfpUrl\n  spaceUrl\n  liveSince\n  lastHeartbeat\n  languages\n  domains\n  platform\n  spacePublic\n}": types.LiveUserRecordFragmentDoc,
    "query LiveUsers {\n  liveUsers {\n    ...LiveUserRecord\n  }\n}": types.LiveUsersDocument,
    "mutation Login($wallet: Wallet!, $nonce: String!, $signature: Hex!) {\n  login(wallet: $wallet, nonce: $nonce, signature: $signature) {\n    wallet\n    roles\n    csrfToken\n  }\n}": types.LoginDocument,
    "mutation LoginChallenge($wallet: Wallet!) {\n  loginChallenge(wallet: $wallet) {\n    nonce\n    expiresAt\n    typedData\n  }\n}": types.LoginChallengeDocument,
    "mutation Logout {\n  logout\n}": types.LogoutDocument,
    "query Me {\n  me {\n    wallet\n    roles\n    merchant\n  }\n}": types.MeDocument,
    "fragment NewReceiptLineRecord on ReceiptLine {\n  label\n  priceUsd\n  qty\n  thumb\n  itemId\n  sku\n}": types.NewReceiptLineRecordFragmentDoc,
    "fragment NewReceiptRecord on Receipt {\n  ...ReceiptRecord\n  lineItems {\n    ...NewReceiptLineRecord\n  }\n}": types.NewReceiptRecordFragmentDoc,
    "query Payouts($first: Int, $after: String, $filter: PayoutFilter) {\n  payouts(first: $first, after: $after, filter: $filter) {\n    nodes {\n      receiptId\n      recipient\n      sharesBps\n      split\n      chainId\n      token\n      decimals\n      amount\n      display\n      state\n      waitsFor\n      requestedAt\n      createdAt\n      releasedAt\n      transactionHash\n      transactionUrl\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}": types.PayoutsDocument,
    "fragment PlanRecord on Plan {\n  planId\n  name\n  description\n  priceUsd\n  period\n  active\n  createdAt\n}": types.PlanRecordFragmentDoc,
    "query Plans($wallet: Wallet!) {\n  activePlans(wallet: $wallet) {\n    ...PlanRecord\n  }\n}": types.PlansDocument,
    "query PricingConfig {\n  pricingConfig {\n    ...PricingConfigRecord\n  }\n}": types.PricingConfigDocument,
    "fragment PricingConfigRecord on PricingConfig {\n  nativeCurrency\n  ethPer2Min\n  minMinutes\n  discountRules {\n    minMinutes\n    discountPct\n  }\n  updatedAt\n}": types.PricingConfigRecordFragmentDoc,
    "fragment PricingRecord on Pricing {\n  version\n  currency\n  usdPerUnit\n  quotedAt\n  provider\n  originalTotal\n  originalLineItems {\n    label\n    amount\n    qty\n  }\n}": types.PricingRecordFragmentDoc,
    "query Receipt($receiptId: ID!) {\n  receipt(receiptId: $receiptId) {\n    ...ReceiptRecord\n    expiresAt\n    lineItems {\n      label\n      priceUsd\n    }\n    transactionHash\n    transactionTimestamp\n    billingAddress {\n      firstName\n      lastName\n      phone\n      email\n      line1\n      line2\n      city\n      state\n      zip\n      country\n    }\n  }\n}": types.ReceiptDocument,
    "fragment ReceiptRecord on Receipt {\n  receiptId\n  totalUsd\n  currency\n  createdAt\n  brandName\n  status: recordStatus\n  jurisdictionCode\n  taxRate\n  taxComponents\n  pricing {\n    ...PricingRecord\n  }\n  transactionId\n  metadata\n}": types.ReceiptRecordFragmentDoc,
    "query ReceiptStatus($receiptId: ID!) {\n  receiptStatusReport(receiptId: $receiptId) {\n    id: receiptId\n    status\n    transactionHash\n    currency\n    amount\n    failure {\n      failureCode: code\n      failureCategory: category\n      failureReason: reason\n      failureAction: action\n    }\n  }\n}": types.ReceiptStatusDocument,
    "fragment ReceiptSummaryRecord on Receipt {\n  receiptId\n  totalUsd\n  currency\n  lineItems {\n    label\n    priceUsd\n  }\n  createdAt\n  brandName\n  status: recordStatus\n}": types.ReceiptSummaryRecordFragmentDoc,
    "query Receipts($first: Int, $after: String, $filter: ReceiptFilter, $orderBy: ReceiptOrder, $paged: Boolean!) {\n  receipts(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n    nodes {\n      ...ReceiptSummaryRecord\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    page: pageInfo @include(if: $paged) {\n      hasNextPage\n      endCursor\n    }\n  }\n}": types.ReceiptsDocument,
    "mutation RefundReceipt($input: RefundReceiptInput!, $idempotencyKey: String) {\n  refundReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n    receiptId\n  }\n}": types.RefundReceiptDocument,
    "mutation ReportTracking($receiptId: ID!, $status: String!) {\n  reportTracking(receiptId: $receiptId, status: $status) {\n    receiptId\n  }\n}": types.ReportTrackingDocument,
    "query ReserveBalances {\n  reserve {\n    balances {\n      currency\n      reserved\n      target\n    }\n    updatedAt\n  }\n}": types.ReserveBalancesDocument,
    "query ReserveRecommend {\n  reserveAdvice {\n    recommendations {\n      currency\n      target\n      basis {\n        refunded\n        paidOut\n      }\n    }\n    windowDays\n    updatedAt\n  }\n}": types.ReserveRecommendDocument,
    "mutation RevokeKey($keyId: ID!) {\n  revokeKey(keyId: $keyId) {\n    ...KeyRecord\n  }\n}": types.RevokeKeyDocument,
    "mutation RotateKey($keyId: ID!, $overlapHours: Int, $idempotencyKey: String) {\n  rotateKey(\n    keyId: $keyId\n    overlapHours: $overlapHours\n    idempotencyKey: $idempotencyKey\n  ) {\n    key {\n      ...KeyRecord\n    }\n    secret\n  }\n}": types.RotateKeyDocument,
    "mutation RotateWebhookSecret($endpointId: ID!, $overlapHours: Int, $idempotencyKey: String) {\n  rotateWebhookSecret(\n    endpointId: $endpointId\n    overlapHours: $overlapHours\n    idempotencyKey: $idempotencyKey\n  ) {\n    endpoint {\n      ...WebhookEndpointRecord\n    }\n    secret\n  }\n}": types.RotateWebhookSecretDocument,
    "mutation SaveInventoryItem($input: InventoryItemInput!) {\n  saveInventoryItem(input: $input) {\n    ...ItemRecord\n  }\n}": types.SaveInventoryItemDocument,
    "query SearchUsers($q: String, $domains: [String!], $platforms: [String!], $languages: [String!], $minXp: Float, $maxXp: Float, $live: Boolean, $limit: Int, $scan: Int) {\n  searchUsers(\n    q: $q\n    domains: $domains\n    platforms: $platforms\n    languages: $languages\n    minXp: $minXp\n    maxXp: $maxXp\n    live: $live\n    limit: $limit\n    scan: $scan\n  ) {\n    users {\n      wallet\n      displayName\n      pfpUrl\n      xp\n      live\n      lastSeen\n      lastHeartbeat\n      domains\n      platforms\n      languages\n      spacePublic\n    }\n    total\n  }\n}": types.SearchUsersDocument,
    "query ShopConfig {\n  shopConfig {\n    ...ShopRecord\n  }\n}": types.ShopConfigDocument,
    "fragment ShopRecord on ShopConfig {\n  name\n  description\n  bio\n  theme {\n    primaryColor\n    secondaryColor\n    textColor\n    accentColor\n    brandLogoUrl\n    coverPhotoUrl\n    fontFamily\n    logoShape\n    heroFontSize\n  }\n  arrangement\n  xpPerDollar\n  slug\n  links {\n    label\n    url\n  }\n  processingFeePct\n  setupComplete\n  postPaymentScripts\n  allowRenewal\n  holdStock\n  gasless\n  paymentTokens {\n    chainId\n    token\n  }\n  lateHours\n  tolerancePct\n  toleranceUsd\n  createdAt\n  updatedAt\n}": types.ShopRecordFragmentDoc,
    "query SiteConfig {\n  siteConfig {\n    theme {\n      primaryColor\n      secondaryColor\n      brandLogoUrl\n      brandFaviconUrl\n      brandName\n      fontFamily\n      receiptBackgroundUrl\n    }\n    brandKey\n    processingFeePct\n    defaultPaymentToken\n    reserveRatios\n  }\n}": types.SiteConfigDocument,
    "query Split {\n  split {\n    ...SplitRecord\n  }\n}": types.SplitDocument,
    "fragment SplitRecord on Split {\n  address\n  recipients {\n    address\n    sharesBps\n  }\n}": types.SplitRecordFragmentDoc,
    "query SplitTransactions($address: String) {\n  splitTransactions(address: $address, receiptAddresses: false, first: 200) {\n    nodes {\n      id\n      receiptId\n      amount\n      currency\n      status\n      timestamp\n      transactionHash\n      fees\n    }\n  }\n}": types.SplitTransactionsDocument,
    "query StatusPing {\n  statusPing {\n    status\n    version\n    time\n    merchant\n    scopes\n    dependencies {\n      database\n      redis\n      chain\n      watcher\n    }\n  }\n}": types.StatusPingDocument,
    "fragment SubscriptionRecord on PlanSubscription {\n  subscriptionId\n  planId\n  merchantWallet\n  customerWallet\n  priceUsd\n  period\n  chainId\n  status\n  nextChargeAt\n  lastChargedAt\n  chargeCount\n  totalChargedUsd\n  createdAt\n  updatedAt\n}": types.SubscriptionRecordFragmentDoc,
    "query SubscriptionStatus($of: SubscriptionStatusOf!, $limit: Int, $page: Int) {\n  subscriptionStatusReport(of: $of, limit: $limit, page: $page) {\n    subscription {\n      ...SubscriptionRecord\n    }\n    subscriptions {\n      ...SubscriptionRecord\n    }\n  }\n}": types.SubscriptionStatusDocument,
    "query TaxCatalog {\n  taxCatalog {\n    jurisdictions {\n      code\n      displayName\n      rate\n      components {\n        code\n        rate\n      }\n      updatedAt\n    }\n  }\n}": types.TaxCatalogDocument,
    "mutation TestWebhookEndpoint($endpointId: ID!) {\n  testWebhookEndpoint(endpointId: $endpointId) {\n    eventId\n    body\n    ok\n    at\n    durationMs\n    statusCode\n    error\n    answer\n  }\n}": types.TestWebhookEndpointDocument,
    "mutation UpdatePlan($input: UpdatePlanInput!) {\n  updatePlan(input: $input) {\n    ...PlanRecord\n  }\n}": types.UpdatePlanDocument,
    "mutation UpdatePricingConfig($input: PricingConfigInput!) {\n  updatePricingConfig(input: $input) {\n    ...PricingConfigRecord\n  }\n}": types.UpdatePricingConfigDocument,
    "mutation UpdateShopConfig($input: ShopConfigInput!) {\n  updateShopConfig(input: $input) {\n    ...ShopRecord\n  }\n}": types.UpdateShopConfigDocument,
    "mutation UpdateWebhookEndpoint($endpointId: ID!, $input: UpdateWebhookEndpointInput!) {\n  updateWebhookEndpoint(endpointId: $endpointId, input: $input) {\n    ...WebhookEndpointRecord\n  }\n}": types.UpdateWebhookEndpointDocument,
    "query WebhookEndpoint($endpointId: ID!) {\n  webhookEndpoint(endpointId: $endpointId) {\n    ...WebhookEndpointRecord\n  }\n}": types.WebhookEndpointDocument,
    "fragment WebhookEndpointRecord on WebhookEndpoint {\n  id\n  url\n  description\n  kinds\n  enabled\n  disabledReason\n  disabledAt\n  failingSince\n  previousSecretUntil\n  createdAt\n  updatedAt\n}": types.WebhookEndpointRecordFragmentDoc,
    "query WebhookEndpoints {\n  webhookEndpoints {\n    ...WebhookEndpointRecord\n  }\n}": types.WebhookEndpointsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query BillingBalance {\n  billing {\n    balances {\n      currency\n      available\n      reserved\n    }\n    usage {\n      monthUsd\n      orders\n      feesUsd\n      lastUpdatedAt\n    }\n  }\n}"): (typeof documents)["query BillingBalance {\n  billing {\n    balances {\n      currency\n      available\n      reserved\n    }\n    usage {\n      monthUsd\n      orders\n      feesUsd\n      lastUpdatedAt\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CancelSubscription($input: CancelSubscriptionInput!) {\n  cancelSubscription(input: $input) {\n    ...SubscriptionRecord\n  }\n}"): (typeof documents)["mutation CancelSubscription($input: CancelSubscriptionInput!) {\n  cancelSubscription(input: $input) {\n    ...SubscriptionRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ChargeDueSubscriptions {\n  chargeDueSubscriptions {\n    processed\n    succeeded\n    failed\n    durationMs\n    results {\n      ...ChargeRecord\n    }\n    failedChains {\n      chainId\n      reason\n    }\n  }\n}"): (typeof documents)["mutation ChargeDueSubscriptions {\n  chargeDueSubscriptions {\n    processed\n    succeeded\n    failed\n    durationMs\n    results {\n      ...ChargeRecord\n    }\n    failedChains {\n      chainId\n      reason\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment ChargeRecord on ChargeResult {\n  success\n  subscriptionId\n  chargeId\n  transactionHash\n  amountUsd\n  feeUsd\n  nextChargeAt\n  reason\n  failureCode\n}"): (typeof documents)["fragment ChargeRecord on ChargeResult {\n  success\n  subscriptionId\n  chargeId\n  transactionHash\n  amountUsd\n  feeUsd\n  nextChargeAt\n  reason\n  failureCode\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ChargeSubscription($subscriptionId: ID!) {\n  chargeSubscription(subscriptionId: $subscriptionId) {\n    success\n    subscriptionId\n    chargeId\n    transactionHash\n    amountUsd\n    feeUsd\n    nextChargeAt\n    reason\n    failureCode\n  }\n}"): (typeof documents)["mutation ChargeSubscription($subscriptionId: ID!) {\n  chargeSubscription(subscriptionId: $subscriptionId) {\n    success\n    subscriptionId\n    chargeId\n    transactionHash\n    amountUsd\n    feeUsd\n    nextChargeAt\n    reason\n    failureCode\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CheckPayment($receiptId: ID!) {\n  checkPayment(receiptId: $receiptId) {\n    receiptId\n    status\n    paid\n    transactionHash\n  }\n}"): (typeof documents)["query CheckPayment($receiptId: ID!) {\n  checkPayment(receiptId: $receiptId) {\n    receiptId\n    status\n    paid\n    transactionHash\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateOrder($input: CreateOrderInput!, $idempotencyKey: String) {\n  createOrder(input: $input, idempotencyKey: $idempotencyKey) {\n    ...NewReceiptRecord\n    paymentUrl\n    expiresAt\n  }\n}"): (typeof documents)["mutation CreateOrder($input: CreateOrderInput!, $idempotencyKey: String) {\n  createOrder(input: $input, idempotencyKey: $idempotencyKey) {\n    ...NewReceiptRecord\n    paymentUrl\n    expiresAt\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreatePlan($input: CreatePlanInput!) {\n  createPlan(input: $input) {\n    ...PlanRecord\n  }\n}"): (typeof documents)["mutation CreatePlan($input: CreatePlanInput!) {\n  createPlan(input: $input) {\n    ...PlanRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateReceipt($input: CreateReceiptInput!) {\n  createReceipt(input: $input) {\n    ...CreatedReceiptRecord\n  }\n}"): (typeof documents)["mutation CreateReceipt($input: CreateReceiptInput!) {\n  createReceipt(input: $input) {\n    ...CreatedReceiptRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateSubscription($input: CreateSubscriptionInput!, $idempotencyKey: String) {\n  createSubscription(input: $input, idempotencyKey: $idempotencyKey) {\n    subscriptionId\n    status\n    nextChargeAt\n  }\n}"): (typeof documents)["mutation CreateSubscription($input: CreateSubscriptionInput!, $idempotencyKey: String) {\n  createSubscription(input: $input, idempotencyKey: $idempotencyKey) {\n    subscriptionId\n    status\n    nextChargeAt\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateTerminalReceipt($input: TerminalReceiptInput!, $idempotencyKey: String) {\n  createTerminalReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n    ...NewReceiptRecord\n    paymentUrl\n    expiresAt\n  }\n}"): (typeof documents)["mutation CreateTerminalReceipt($input: TerminalReceiptInput!, $idempotencyKey: String) {\n  createTerminalReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n    ...NewReceiptRecord\n    paymentUrl\n    expiresAt\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!, $idempotencyKey: String) {\n  createWebhookEndpoint(input: $input, idempotencyKey: $idempotencyKey) {\n    endpoint {\n      ...WebhookEndpointRecord\n    }\n    secret\n  }\n}"): (typeof documents)["mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!, $idempotencyKey: String) {\n  createWebhookEndpoint(input: $input, idempotencyKey: $idempotencyKey) {\n    endpoint {\n      ...WebhookEndpointRecord\n    }\n    secret\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment CreatedReceiptRecord on Receipt {\n  id: receiptId\n  paymentUrl\n  status: recordStatus\n  redirectUrl\n  webhookUrl\n}"): (typeof documents)["fragment CreatedReceiptRecord on Receipt {\n  id: receiptId\n  paymentUrl\n  status: recordStatus\n  redirectUrl\n  webhookUrl\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeactivatePlan($planId: ID!) {\n  deactivatePlan(planId: $planId) {\n    ...PlanRecord\n  }\n}"): (typeof documents)["mutation DeactivatePlan($planId: ID!) {\n  deactivatePlan(planId: $planId) {\n    ...PlanRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeleteInventoryItem($id: ID!) {\n  deleteInventoryItem(id: $id)\n}"): (typeof documents)["mutation DeleteInventoryItem($id: ID!) {\n  deleteInventoryItem(id: $id)\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeleteWebhookEndpoint($endpointId: ID!) {\n  deleteWebhookEndpoint(endpointId: $endpointId)\n}"): (typeof documents)["mutation DeleteWebhookEndpoint($endpointId: ID!) {\n  deleteWebhookEndpoint(endpointId: $endpointId)\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeploySplit($input: SplitInput!) {\n  deploySplit(input: $input) {\n    split {\n      ...SplitRecord\n    }\n    idempotent\n  }\n}"): (typeof documents)["mutation DeploySplit($input: SplitInput!) {\n  deploySplit(input: $input) {\n    split {\n      ...SplitRecord\n    }\n    idempotent\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Events($after: String, $limit: Int) {\n  events(after: $after, limit: $limit) {\n    events {\n      id\n      type\n      createdAt\n      data\n    }\n    nextCursor\n  }\n}"): (typeof documents)["query Events($after: String, $limit: Int) {\n  events(after: $after, limit: $limit) {\n    events {\n      id\n      type\n      createdAt\n      data\n    }\n    nextCursor\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Inventory($q: String, $category: String, $taxable: Boolean, $stock: StockFilter, $priceMin: Usd, $priceMax: Usd, $tags: [String!], $tagsMode: TagsMode, $sort: InventorySort, $order: SortOrder, $limit: Int, $page: Int) {\n  inventoryPage(\n    q: $q\n    category: $category\n    taxable: $taxable\n    stock: $stock\n    priceMin: $priceMin\n    priceMax: $priceMax\n    tags: $tags\n    tagsMode: $tagsMode\n    sort: $sort\n    order: $order\n    limit: $limit\n    page: $page\n  ) {\n    items {\n      ...ItemRecord\n    }\n    total\n    page\n    pageSize\n  }\n}"): (typeof documents)["query Inventory($q: String, $category: String, $taxable: Boolean, $stock: StockFilter, $priceMin: Usd, $priceMax: Usd, $tags: [String!], $tagsMode: TagsMode, $sort: InventorySort, $order: SortOrder, $limit: Int, $page: Int) {\n  inventoryPage(\n    q: $q\n    category: $category\n    taxable: $taxable\n    stock: $stock\n    priceMin: $priceMin\n    priceMax: $priceMax\n    tags: $tags\n    tagsMode: $tagsMode\n    sort: $sort\n    order: $order\n    limit: $limit\n    page: $page\n  ) {\n    items {\n      ...ItemRecord\n    }\n    total\n    page\n    pageSize\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation IssueKey($input: IssueKeyInput!, $idempotencyKey: String) {\n  issueKey(input: $input, idempotencyKey: $idempotencyKey) {\n    key {\n      ...KeyRecord\n    }\n    secret\n  }\n}"): (typeof documents)["mutation IssueKey($input: IssueKeyInput!, $idempotencyKey: String) {\n  issueKey(input: $input, idempotencyKey: $idempotencyKey) {\n    key {\n      ...KeyRecord\n    }\n    secret\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment ItemRecord on InventoryItem {\n  id\n  sku\n  name\n  priceUsd\n  price\n  currency\n  stockQty\n  taxable\n  category\n  description\n  tags\n  images\n  thumb\n  attributes\n  costUsd\n  jurisdictionCode\n  createdAt\n  updatedAt\n  wallet\n}"): (typeof documents)["fragment ItemRecord on InventoryItem {\n  id\n  sku\n  name\n  priceUsd\n  price\n  currency\n  stockQty\n  taxable\n  category\n  description\n  tags\n  images\n  thumb\n  attributes\n  costUsd\n  jurisdictionCode\n  createdAt\n  updatedAt\n  wallet\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment KeyRecord on ApiKey {\n  keyId\n  label\n  scopes\n  writes\n  state\n  createdAt\n  lastUsedAt\n  expiresAt\n  revokedAt\n  replacedBy\n  origins\n  addresses\n  trustedOnly\n}"): (typeof documents)["fragment KeyRecord on ApiKey {\n  keyId\n  label\n  scopes\n  writes\n  state\n  createdAt\n  lastUsedAt\n  expiresAt\n  revokedAt\n  replacedBy\n  origins\n  addresses\n  trustedOnly\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Keys($first: Int!, $after: String) {\n  keys(first: $first, after: $after) {\n    nodes {\n      ...KeyRecord\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n}"): (typeof documents)["query Keys($first: Int!, $after: String) {\n  keys(first: $first, after: $after) {\n    nodes {\n      ...KeyRecord\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment LiveUserRecord on User {\n  wallet\n  displayName\n  pfpUrl\n  spaceUrl\n  liveSince\n  lastHeartbeat\n  languages\n  domains\n  platform\n  spacePublic\n}"): (typeof documents)["fragment LiveUserRecord on User {\n  wallet\n  displayName\n  pfpUrl\n  spaceUrl\n  liveSince\n  lastHeartbeat\n  languages\n  domains\n  platform\n  spacePublic\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query LiveUsers {\n  liveUsers {\n    ...LiveUserRecord\n  }\n}"): (typeof documents)["query LiveUsers {\n  liveUsers {\n    ...LiveUserRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation Login($wallet: Wallet!, $nonce: String!, $signature: Hex!) {\n  login(wallet: $wallet, nonce: $nonce, signature: $signature) {\n    wallet\n    roles\n    csrfToken\n  }\n}"): (typeof documents)["mutation Login($wallet: Wallet!, $nonce: String!, $signature: Hex!) {\n  login(wallet: $wallet, nonce: $nonce, signature: $signature) {\n    wallet\n    roles\n    csrfToken\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation LoginChallenge($wallet: Wallet!) {\n  loginChallenge(wallet: $wallet) {\n    nonce\n    expiresAt\n    typedData\n  }\n}"): (typeof documents)["mutation LoginChallenge($wallet: Wallet!) {\n  loginChallenge(wallet: $wallet) {\n    nonce\n    expiresAt\n    typedData\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation Logout {\n  logout\n}"): (typeof documents)["mutation Logout {\n  logout\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Me {\n  me {\n    wallet\n    roles\n    merchant\n  }\n}"): (typeof documents)["query Me {\n  me {\n    wallet\n    roles\n    merchant\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment NewReceiptLineRecord on ReceiptLine {\n  label\n  priceUsd\n  qty\n  thumb\n  itemId\n  sku\n}"): (typeof documents)["fragment NewReceiptLineRecord on ReceiptLine {\n  label\n  priceUsd\n  qty\n  thumb\n  itemId\n  sku\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment NewReceiptRecord on Receipt {\n  ...ReceiptRecord\n  lineItems {\n    ...NewReceiptLineRecord\n  }\n}"): (typeof documents)["fragment NewReceiptRecord on Receipt {\n  ...ReceiptRecord\n  lineItems {\n    ...NewReceiptLineRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Payouts($first: Int, $after: String, $filter: PayoutFilter) {\n  payouts(first: $first, after: $after, filter: $filter) {\n    nodes {\n      receiptId\n      recipient\n      sharesBps\n      split\n      chainId\n      token\n      decimals\n      amount\n      display\n      state\n      waitsFor\n      requestedAt\n      createdAt\n      releasedAt\n      transactionHash\n      transactionUrl\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}"): (typeof documents)["query Payouts($first: Int, $after: String, $filter: PayoutFilter) {\n  payouts(first: $first, after: $after, filter: $filter) {\n    nodes {\n      receiptId\n      recipient\n      sharesBps\n      split\n      chainId\n      token\n      decimals\n      amount\n      display\n      state\n      waitsFor\n      requestedAt\n      createdAt\n      releasedAt\n      transactionHash\n      transactionUrl\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment PlanRecord on Plan {\n  planId\n  name\n  description\n  priceUsd\n  period\n  active\n  createdAt\n}"): (typeof documents)["fragment PlanRecord on Plan {\n  planId\n  name\n  description\n  priceUsd\n  period\n  active\n  createdAt\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Plans($wallet: Wallet!) {\n  activePlans(wallet: $wallet) {\n    ...PlanRecord\n  }\n}"): (typeof documents)["query Plans($wallet: Wallet!) {\n  activePlans(wallet: $wallet) {\n    ...PlanRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query PricingConfig {\n  pricingConfig {\n    ...PricingConfigRecord\n  }\n}"): (typeof documents)["query PricingConfig {\n  pricingConfig {\n    ...PricingConfigRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment PricingConfigRecord on PricingConfig {\n  nativeCurrency\n  ethPer2Min\n  minMinutes\n  discountRules {\n    minMinutes\n    discountPct\n  }\n  updatedAt\n}"): (typeof documents)["fragment PricingConfigRecord on PricingConfig {\n  nativeCurrency\n  ethPer2Min\n  minMinutes\n  discountRules {\n    minMinutes\n    discountPct\n  }\n  updatedAt\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment PricingRecord on Pricing {\n  version\n  currency\n  usdPerUnit\n  quotedAt\n  provider\n  originalTotal\n  originalLineItems {\n    label\n    amount\n    qty\n  }\n}"): (typeof documents)["fragment PricingRecord on Pricing {\n  version\n  currency\n  usdPerUnit\n  quotedAt\n  provider\n  originalTotal\n  originalLineItems {\n    label\n    amount\n    qty\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Receipt($receiptId: ID!) {\n  receipt(receiptId: $receiptId) {\n    ...ReceiptRecord\n    expiresAt\n    lineItems {\n      label\n      priceUsd\n    }\n    transactionHash\n    transactionTimestamp\n    billingAddress {\n      firstName\n      lastName\n      phone\n      email\n      line1\n      line2\n      city\n      state\n      zip\n      country\n    }\n  }\n}"): (typeof documents)["query Receipt($receiptId: ID!) {\n  receipt(receiptId: $receiptId) {\n    ...ReceiptRecord\n    expiresAt\n    lineItems {\n      label\n      priceUsd\n    }\n    transactionHash\n    transactionTimestamp\n    billingAddress {\n      firstName\n      lastName\n      phone\n      email\n      line1\n      line2\n      city\n      state\n      zip\n      country\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment ReceiptRecord on Receipt {\n  receiptId\n  totalUsd\n  currency\n  createdAt\n  brandName\n  status: recordStatus\n  jurisdictionCode\n  taxRate\n  taxComponents\n  pricing {\n    ...PricingRecord\n  }\n  transactionId\n  metadata\n}"): (typeof documents)["fragment ReceiptRecord on Receipt {\n  receiptId\n  totalUsd\n  currency\n  createdAt\n  brandName\n  status: recordStatus\n  jurisdictionCode\n  taxRate\n  taxComponents\n  pricing {\n    ...PricingRecord\n  }\n  transactionId\n  metadata\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ReceiptStatus($receiptId: ID!) {\n  receiptStatusReport(receiptId: $receiptId) {\n    id: receiptId\n    status\n    transactionHash\n    currency\n    amount\n    failure {\n      failureCode: code\n      failureCategory: category\n      failureReason: reason\n      failureAction: action\n    }\n  }\n}"): (typeof documents)["query ReceiptStatus($receiptId: ID!) {\n  receiptStatusReport(receiptId: $receiptId) {\n    id: receiptId\n    status\n    transactionHash\n    currency\n    amount\n    failure {\n      failureCode: code\n      failureCategory: category\n      failureReason: reason\n      failureAction: action\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment ReceiptSummaryRecord on Receipt {\n  receiptId\n  totalUsd\n  currency\n  lineItems {\n    label\n    priceUsd\n  }\n  createdAt\n  brandName\n  status: recordStatus\n}"): (typeof documents)["fragment ReceiptSummaryRecord on Receipt {\n  receiptId\n  totalUsd\n  currency\n  lineItems {\n    label\n    priceUsd\n  }\n  createdAt\n  brandName\n  status: recordStatus\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Receipts($first: Int, $after: String, $filter: ReceiptFilter, $orderBy: ReceiptOrder, $paged: Boolean!) {\n  receipts(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n    nodes {\n      ...ReceiptSummaryRecord\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    page: pageInfo @include(if: $paged) {\n      hasNextPage\n      endCursor\n    }\n  }\n}"): (typeof documents)["query Receipts($first: Int, $after: String, $filter: ReceiptFilter, $orderBy: ReceiptOrder, $paged: Boolean!) {\n  receipts(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n    nodes {\n      ...ReceiptSummaryRecord\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    page: pageInfo @include(if: $paged) {\n      hasNextPage\n      endCursor\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RefundReceipt($input: RefundReceiptInput!, $idempotencyKey: String) {\n  refundReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n    receiptId\n  }\n}"): (typeof documents)["mutation RefundReceipt($input: RefundReceiptInput!, $idempotencyKey: String) {\n  refundReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n    receiptId\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ReportTracking($receiptId: ID!, $status: String!) {\n  reportTracking(receiptId: $receiptId, status: $status) {\n    receiptId\n  }\n}"): (typeof documents)["mutation ReportTracking($receiptId: ID!, $status: String!) {\n  reportTracking(receiptId: $receiptId, status: $status) {\n    receiptId\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ReserveBalances {\n  reserve {\n    balances {\n      currency\n      reserved\n      target\n    }\n    updatedAt\n  }\n}"): (typeof documents)["query ReserveBalances {\n  reserve {\n    balances {\n      currency\n      reserved\n      target\n    }\n    updatedAt\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ReserveRecommend {\n  reserveAdvice {\n    recommendations {\n      currency\n      target\n      basis {\n        refunded\n        paidOut\n      }\n    }\n    windowDays\n    updatedAt\n  }\n}"): (typeof documents)["query ReserveRecommend {\n  reserveAdvice {\n    recommendations {\n      currency\n      target\n      basis {\n        refunded\n        paidOut\n      }\n    }\n    windowDays\n    updatedAt\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RevokeKey($keyId: ID!) {\n  revokeKey(keyId: $keyId) {\n    ...KeyRecord\n  }\n}"): (typeof documents)["mutation RevokeKey($keyId: ID!) {\n  revokeKey(keyId: $keyId) {\n    ...KeyRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RotateKey($keyId: ID!, $overlapHours: Int, $idempotencyKey: String) {\n  rotateKey(\n    keyId: $keyId\n    overlapHours: $overlapHours\n    idempotencyKey: $idempotencyKey\n  ) {\n    key {\n      ...KeyRecord\n    }\n    secret\n  }\n}"): (typeof documents)["mutation RotateKey($keyId: ID!, $overlapHours: Int, $idempotencyKey: String) {\n  rotateKey(\n    keyId: $keyId\n    overlapHours: $overlapHours\n    idempotencyKey: $idempotencyKey\n  ) {\n    key {\n      ...KeyRecord\n    }\n    secret\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RotateWebhookSecret($endpointId: ID!, $overlapHours: Int, $idempotencyKey: String) {\n  rotateWebhookSecret(\n    endpointId: $endpointId\n    overlapHours: $overlapHours\n    idempotencyKey: $idempotencyKey\n  ) {\n    endpoint {\n      ...WebhookEndpointRecord\n    }\n    secret\n  }\n}"): (typeof documents)["mutation RotateWebhookSecret($endpointId: ID!, $overlapHours: Int, $idempotencyKey: String) {\n  rotateWebhookSecret(\n    endpointId: $endpointId\n    overlapHours: $overlapHours\n    idempotencyKey: $idempotencyKey\n  ) {\n    endpoint {\n      ...WebhookEndpointRecord\n    }\n    secret\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation SaveInventoryItem($input: InventoryItemInput!) {\n  saveInventoryItem(input: $input) {\n    ...ItemRecord\n  }\n}"): (typeof documents)["mutation SaveInventoryItem($input: InventoryItemInput!) {\n  saveInventoryItem(input: $input) {\n    ...ItemRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SearchUsers($q: String, $domains: [String!], $platforms: [String!], $languages: [String!], $minXp: Float, $maxXp: Float, $live: Boolean, $limit: Int, $scan: Int) {\n  searchUsers(\n    q: $q\n    domains: $domains\n    platforms: $platforms\n    languages: $languages\n    minXp: $minXp\n    maxXp: $maxXp\n    live: $live\n    limit: $limit\n    scan: $scan\n  ) {\n    users {\n      wallet\n      displayName\n      pfpUrl\n      xp\n      live\n      lastSeen\n      lastHeartbeat\n      domains\n      platforms\n      languages\n      spacePublic\n    }\n    total\n  }\n}"): (typeof documents)["query SearchUsers($q: String, $domains: [String!], $platforms: [String!], $languages: [String!], $minXp: Float, $maxXp: Float, $live: Boolean, $limit: Int, $scan: Int) {\n  searchUsers(\n    q: $q\n    domains: $domains\n    platforms: $platforms\n    languages: $languages\n    minXp: $minXp\n    maxXp: $maxXp\n    live: $live\n    limit: $limit\n    scan: $scan\n  ) {\n    users {\n      wallet\n      displayName\n      pfpUrl\n      xp\n      live\n      lastSeen\n      lastHeartbeat\n      domains\n      platforms\n      languages\n      spacePublic\n    }\n    total\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ShopConfig {\n  shopConfig {\n    ...ShopRecord\n  }\n}"): (typeof documents)["query ShopConfig {\n  shopConfig {\n    ...ShopRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment ShopRecord on ShopConfig {\n  name\n  description\n  bio\n  theme {\n    primaryColor\n    secondaryColor\n    textColor\n    accentColor\n    brandLogoUrl\n    coverPhotoUrl\n    fontFamily\n    logoShape\n    heroFontSize\n  }\n  arrangement\n  xpPerDollar\n  slug\n  links {\n    label\n    url\n  }\n  processingFeePct\n  setupComplete\n  postPaymentScripts\n  allowRenewal\n  holdStock\n  gasless\n  paymentTokens {\n    chainId\n    token\n  }\n  lateHours\n  tolerancePct\n  toleranceUsd\n  createdAt\n  updatedAt\n}"): (typeof documents)["fragment ShopRecord on ShopConfig {\n  name\n  description\n  bio\n  theme {\n    primaryColor\n    secondaryColor\n    textColor\n    accentColor\n    brandLogoUrl\n    coverPhotoUrl\n    fontFamily\n    logoShape\n    heroFontSize\n  }\n  arrangement\n  xpPerDollar\n  slug\n  links {\n    label\n    url\n  }\n  processingFeePct\n  setupComplete\n  postPaymentScripts\n  allowRenewal\n  holdStock\n  gasless\n  paymentTokens {\n    chainId\n    token\n  }\n  lateHours\n  tolerancePct\n  toleranceUsd\n  createdAt\n  updatedAt\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SiteConfig {\n  siteConfig {\n    theme {\n      primaryColor\n      secondaryColor\n      brandLogoUrl\n      brandFaviconUrl\n      brandName\n      fontFamily\n      receiptBackgroundUrl\n    }\n    brandKey\n    processingFeePct\n    defaultPaymentToken\n    reserveRatios\n  }\n}"): (typeof documents)["query SiteConfig {\n  siteConfig {\n    theme {\n      primaryColor\n      secondaryColor\n      brandLogoUrl\n      brandFaviconUrl\n      brandName\n      fontFamily\n      receiptBackgroundUrl\n    }\n    brandKey\n    processingFeePct\n    defaultPaymentToken\n    reserveRatios\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Split {\n  split {\n    ...SplitRecord\n  }\n}"): (typeof documents)["query Split {\n  split {\n    ...SplitRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment SplitRecord on Split {\n  address\n  recipients {\n    address\n    sharesBps\n  }\n}"): (typeof documents)["fragment SplitRecord on Split {\n  address\n  recipients {\n    address\n    sharesBps\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SplitTransactions($address: String) {\n  splitTransactions(address: $address, receiptAddresses: false, first: 200) {\n    nodes {\n      id\n      receiptId\n      amount\n      currency\n      status\n      timestamp\n      transactionHash\n      fees\n    }\n  }\n}"): (typeof documents)["query SplitTransactions($address: String) {\n  splitTransactions(address: $address, receiptAddresses: false, first: 200) {\n    nodes {\n      id\n      receiptId\n      amount\n      currency\n      status\n      timestamp\n      transactionHash\n      fees\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query StatusPing {\n  statusPing {\n    status\n    version\n    time\n    merchant\n    scopes\n    dependencies {\n      database\n      redis\n      chain\n      watcher\n    }\n  }\n}"): (typeof documents)["query StatusPing {\n  statusPing {\n    status\n    version\n    time\n    merchant\n    scopes\n    dependencies {\n      database\n      redis\n      chain\n      watcher\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment SubscriptionRecord on PlanSubscription {\n  subscriptionId\n  planId\n  merchantWallet\n  customerWallet\n  priceUsd\n  period\n  chainId\n  status\n  nextChargeAt\n  lastChargedAt\n  chargeCount\n  totalChargedUsd\n  createdAt\n  updatedAt\n}"): (typeof documents)["fragment SubscriptionRecord on PlanSubscription {\n  subscriptionId\n  planId\n  merchantWallet\n  customerWallet\n  priceUsd\n  period\n  chainId\n  status\n  nextChargeAt\n  lastChargedAt\n  chargeCount\n  totalChargedUsd\n  createdAt\n  updatedAt\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SubscriptionStatus($of: SubscriptionStatusOf!, $limit: Int, $page: Int) {\n  subscriptionStatusReport(of: $of, limit: $limit, page: $page) {\n    subscription {\n      ...SubscriptionRecord\n    }\n    subscriptions {\n      ...SubscriptionRecord\n    }\n  }\n}"): (typeof documents)["query SubscriptionStatus($of: SubscriptionStatusOf!, $limit: Int, $page: Int) {\n  subscriptionStatusReport(of: $of, limit: $limit, page: $page) {\n    subscription {\n      ...SubscriptionRecord\n    }\n    subscriptions {\n      ...SubscriptionRecord\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query TaxCatalog {\n  taxCatalog {\n    jurisdictions {\n      code\n      displayName\n      rate\n      components {\n        code\n        rate\n      }\n      updatedAt\n    }\n  }\n}"): (typeof documents)["query TaxCatalog {\n  taxCatalog {\n    jurisdictions {\n      code\n      displayName\n      rate\n      components {\n        code\n        rate\n      }\n      updatedAt\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation TestWebhookEndpoint($endpointId: ID!) {\n  testWebhookEndpoint(endpointId: $endpointId) {\n    eventId\n    body\n    ok\n    at\n    durationMs\n    statusCode\n    error\n    answer\n  }\n}"): (typeof documents)["mutation TestWebhookEndpoint($endpointId: ID!) {\n  testWebhookEndpoint(endpointId: $endpointId) {\n    eventId\n    body\n    ok\n    at\n    durationMs\n    statusCode\n    error\n    answer\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdatePlan($input: UpdatePlanInput!) {\n  updatePlan(input: $input) {\n    ...PlanRecord\n  }\n}"): (typeof documents)["mutation UpdatePlan($input: UpdatePlanInput!) {\n  updatePlan(input: $input) {\n    ...PlanRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdatePricingConfig($input: PricingConfigInput!) {\n  updatePricingConfig(input: $input) {\n    ...PricingConfigRecord\n  }\n}"): (typeof documents)["mutation UpdatePricingConfig($input: PricingConfigInput!) {\n  updatePricingConfig(input: $input) {\n    ...PricingConfigRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdateShopConfig($input: ShopConfigInput!) {\n  updateShopConfig(input: $input) {\n    ...ShopRecord\n  }\n}"): (typeof documents)["mutation UpdateShopConfig($input: ShopConfigInput!) {\n  updateShopConfig(input: $input) {\n    ...ShopRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdateWebhookEndpoint($endpointId: ID!, $input: UpdateWebhookEndpointInput!) {\n  updateWebhookEndpoint(endpointId: $endpointId, input: $input) {\n    ...WebhookEndpointRecord\n  }\n}"): (typeof documents)["mutation UpdateWebhookEndpoint($endpointId: ID!, $input: UpdateWebhookEndpointInput!) {\n  updateWebhookEndpoint(endpointId: $endpointId, input: $input) {\n    ...WebhookEndpointRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query WebhookEndpoint($endpointId: ID!) {\n  webhookEndpoint(endpointId: $endpointId) {\n    ...WebhookEndpointRecord\n  }\n}"): (typeof documents)["query WebhookEndpoint($endpointId: ID!) {\n  webhookEndpoint(endpointId: $endpointId) {\n    ...WebhookEndpointRecord\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment WebhookEndpointRecord on WebhookEndpoint {\n  id\n  url\n  description\n  kinds\n  enabled\n  disabledReason\n  disabledAt\n  failingSince\n  previousSecretUntil\n  createdAt\n  updatedAt\n}"): (typeof documents)["fragment WebhookEndpointRecord on WebhookEndpoint {\n  id\n  url\n  description\n  kinds\n  enabled\n  disabledReason\n  disabledAt\n  failingSince\n  previousSecretUntil\n  createdAt\n  updatedAt\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query WebhookEndpoints {\n  webhookEndpoints {\n    ...WebhookEndpointRecord\n  }\n}"): (typeof documents)["query WebhookEndpoints {\n  webhookEndpoints {\n    ...WebhookEndpointRecord\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;