const MERCHANT = '0xa8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8';
const CUSTOMER = '0xb6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6';
const PLAN = 'plan_01kamxyzw2qj8n4v6t0r5s3d1c';
const SUBSCRIPTION = 'sub_01kamxyzw2qj8n4v6t0r5s3d1c';
/** The form of a signature: 65 bytes. */
const SIGNATURE = `0x${'5e'.repeat(65)}`;

/** Example bodies, by operationId. Each route with a body has one. */
export const EXAMPLES: Readonly<Record<string, object>> = {
  saveInventoryItem: { sku: 'MUG-STONE', name: 'Stoneware mug', priceUsd: 24, stockQty: 120, taxable: true },
  createOrder: {
    items: [{ sku: 'MUG-STONE', qty: 2 }],
    jurisdictionCode: 'US-CA',
    buyerEmail: 'ada@shop.test',
    transactionId: 'cart-1042',
    metadata: { channel: 'web' },
    webhookUrl: 'https://shop.test/hooks/quittance',
  },
  createReceipt: {
    id: 'invoice-2026-17',
    currency: 'EUR',
    lineItems: [
      { label: 'Workshop, two days', amount: 1800 },
      { label: 'Early booking', amount: -180 },
    ],
    total: 1620,
  },
  createTerminalReceipt: { amountUsd: 12.5, label: 'Lunch', jurisdictionCode: 'US-CA' },
  reportTracking: { receiptId: 'R-01kamxyzw2qj8n4v6t0r5s3d1c', status: 'link_opened' },
  updateShopConfig: {
    name: 'Stone & Steam',
    slug: 'stone-and-steam',
    processingFeePct: 1.5,
    theme: { primaryColor: '#0e5c4a', logoShape: 'circle' },
    links: [{ label: 'Instagram', url: 'https://instagram.com/stoneandsteam' }],
  },
  deploySplit: {
    recipients: [
      { address: '0xa8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8', sharesBps: 6950 },
      { address: '0xafafafafafafafafafafafafafafafafafafafaf', sharesBps: 3000 },
    ],
  },
  refundReceipt: {
    receiptId: 'R-01kamxyzw2qj8n4v6t0r5s3d1c',
    wallet: MERCHANT,
    buyer: CUSTOMER,
    usd: 24,
    items: [{ label: 'Stoneware mug', priceUsd: 24, qty: 1 }],
  },
  voidReceipt: { receiptId: 'R-01kamxyzw2qj8n4v6t0r5s3d1c', reason: 'The cart was left' },
  replaceReceipt: {
    receiptId: 'R-01kamxyzw2qj8n4v6t0r5s3d1c',
    reason: 'The cart was changed',
    items: [{ sku: 'MUG-01', qty: 3 }],
    transactionId: 'PO-20260726-1138',
  },
  requestRefund: {
    receiptId: 'R-01kamxyzw2qj8n4v6t0r5s3d1c',
    usd: 24,
    reason: 'returned',
    items: [{ label: 'Stoneware mug', priceUsd: 24, qty: 1 }],
  },
  updatePricingConfig: {
    nativeCurrency: 'EUR',
    ethPer2Min: 0.001,
    minMinutes: 10,
    discountRules: [{ minMinutes: 60, discountPct: 5 }],
  },
  createPlan: { name: 'Coffee club', description: 'A bag of beans each month', priceUsd: 14.5, period: 'MONTHLY' },
  updatePlan: { planId: PLAN, name: 'Coffee club', priceUsd: 16, period: 'MONTHLY', active: true },
  deactivatePlan: { planId: PLAN },
  createSubscription: {
    planId: PLAN,
    customerWallet: CUSTOMER,
    permissionSignature: SIGNATURE,
    permissionData: {
      account: CUSTOMER,
      spender: '0xbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbdbd',
      token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      allowance: '14500000',
      period: 2_592_000,
      start: 1_790_000_000,
      end: 1_825_000_000,
      salt: '1',
      extraData: '0x',
    },
  },
  cancelSubscription: {
    subscriptionId: SUBSCRIPTION,
    wallet: CUSTOMER,
    signature: SIGNATURE,
    expiresAt: 1_790_000_600_000,
  },
  chargeSubscription: { subscriptionId: SUBSCRIPTION },
  createWebhookEndpoint: {
    url: 'https://shop.test/hooks/events',
    kinds: ['receipt.*', 'refund.completed'],
    description: 'The warehouse',
    enabled: true,
  },
  removeWebhookEndpoint: { endpointId: 'we_01kamxyzw2qj8n4v6t0r5s3d1c' },
  updateWebhookEndpoint: { url: 'https://shop.test/hooks/events', kinds: ['*'], description: 'All', enabled: false },
  rotateWebhookSecret: { overlapHours: 24 },
  issueKey: {
    scopes: ['receipts:read', 'inventory:read'],
    label: 'Web shop',
    expiresAt: 4_102_444_800_000,
    origins: ['https://shop.test'],
    addresses: ['192.0.2.0/24'],
    trustedOnly: false,
  },
  rotateKey: { overlapHours: 24 },
  exchangeConnectCode: { code: 'KPzQ0…', codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
  loginChallenge: { wallet: MERCHANT },
  login: { wallet: MERCHANT, nonce: 'f3b0c44298fc1c149afbf4c8996fb924', signature: SIGNATURE },
};
