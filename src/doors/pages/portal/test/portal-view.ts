import { ENGLISH } from '../../shared/reading.ts';
import { failureWords } from '../failure-words.ts';
import type { PortalQuote, PortalReceipt, PortalView } from '../view.ts';

export const now = Date.UTC(2026, 0, 5, 12);
export const hash = `0x${'ab'.repeat(32)}`;
export const payTo = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

export const usdcQuote: PortalQuote = {
  token: 'USDC',
  chainId: 31337,
  amount: '129410000',
  decimals: 6,
  display: '129.41',
  payTo,
  uri: `ethereum:0xe7f1725e7734ce288f8367e1bb143e90bb3f0512@31337/transfer?address=${payTo}&uint256=129410000`,
  expiresAt: null,
};

export const ethQuote: PortalQuote = {
  ...usdcQuote,
  token: 'ETH',
  amount: '41746000000000000',
  decimals: 18,
  display: '0.041746',
  uri: `ethereum:${payTo}@31337?value=41746000000000000`,
  expiresAt: now + 900_000,
};

/** A pending receipt with three lines, with the changes of a test. */
type Changes = Partial<Omit<PortalReceipt, 'failure'>> & { readonly failure?: { readonly code: string } | null };

export function viewOf({ failure = null, ...receipt }: Changes = {}, rest: Partial<PortalView> = {}): PortalView {
  const { reading = ENGLISH } = rest;
  return {
    now,
    reading,
    merchant: { name: 'Northwind', wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', theme: {} },
    receipt: {
      receiptId: 'R-1',
      status: 'pending',
      seq: 2,
      currency: 'USD',
      totalUsdCents: 12941,
      pricing: null,
      lineItems: [
        { kind: 'item', label: 'Beans', priceUsdCents: 11750, qty: 2 },
        { kind: 'tax', label: 'Tax', priceUsdCents: 1127 },
        { kind: 'fee', label: 'Processing Fee', priceUsdCents: 64 },
      ],
      createdAt: now - 60_000,
      expiresAt: null,
      closedAt: null,
      // Money that counts has arrived.
      transactionHash: receipt.status === 'tx_mismatch' ? hash : null,
      transactionTimestamp: receipt.status === 'tx_mismatch' ? 1_790_000_000_000 : null,
      confirmations: 0,
      confirmationsNeeded: 12,
      confirmationNote: 'This usually takes about 2 minutes.',
      expectedTime: 'Usually confirmed within 2 minutes.',
      failure: failure && { ...failure, sentence: failureWords(failure.code, reading.language) },
      cardSession: null,
      missing: null,
      unmatched: false,
      receivedUsdCents: 0,
      paid: null,
      history: [],
      returnUrl: null,
      transactionId: null,
      ...receipt,
    },
    settlement: [],
    remainder: null,
    scriptPath: null,
    receiptPath: '/portal/R-1/receipt?recipient=0x70',
    readOnly: false,
    renewable: false,
    key: null,
    asksEmail: false,
    tokens: [
      { id: 'ETH', symbol: 'ETH', address: null, decimals: 18, name: 'Ether', offered: true },
      {
        id: 'USDC',
        symbol: 'USDC',
        address: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
        decimals: 6,
        name: 'USD Coin',
        offered: true,
      },
    ],
    quote: usdcQuote,
    tokenId: rest.quote?.token ?? 'USDC',
    addressChanged: false,
    chain: { id: 31337, name: 'Local', local: true },
    card: null,
    testWallet: true,
    pageToken: 'token',
    graphqlUrl: '/graphql',
    websocketUrl: '/graphql',
    ...rest,
  };
}
