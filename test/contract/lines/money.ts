import type { ContractSection } from './section.ts';

export const money: ContractSection = {
  name: 'money',
  title: 'Tax and fee',
  lines: {
    'taxable-only': 'Only taxable items have tax',
    'rate-source': 'A manual `taxRate` has priority over the jurisdiction’s rate',
    'rate-components': '`taxComponents` can restrict the jurisdiction’s rate',
    fee: 'Fee: percentage of (subtotal + tax), rounded to cents',
    'fee-percentage': '0.5 % for the platform plus the merchant’s add-on: with 1.5 % the fee is 2 %',
    total: '`totalUsd` = subtotal + tax + processing fee',
    charges: 'A subscription’s charge has a fee of 0.5 % and writes one billing event',
  },
};
