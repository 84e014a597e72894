import type { ContractSection } from './section.ts';

export const conventions: ContractSection = {
  name: 'conventions',
  title: 'Conventions',
  lines: {
    timestamps: 'Timestamps are epoch milliseconds',
    wallets: 'A wallet is `0x` followed by 40 hex characters',
    usd: 'USD amounts are JSON numbers',
    ids: 'Receipt ids are strings',
  },
};
