import type { ContractSection } from './section.ts';

export const merchant: ContractSection = {
  name: 'merchant',
  title: 'Shop, site, pricing, billing, tax, reserve',
  lines: {
    'shop-read': '`GET /api/shop/config`, scope `shop:read`: the configuration',
    'shop-write': '`POST /api/shop/config`, admin: updates it',
    'processing-fee': '`processingFeePct`: a number, in percent',
    site: '`GET /api/site/config`: the platform’s defaults',
    'pricing-read': '`GET /api/pricing/config`, developer',
    'pricing-write': '`POST /api/pricing/config`, admin',
    billing: '`GET /api/billing/balance`, developer: balance and usage',
    tax: '`GET /api/tax/catalog`, developer: jurisdictions and their rates',
    'reserve-balances': '`GET /api/reserve/balances`, developer: reserve by currency',
    'reserve-recommend': '`GET /api/reserve/recommend`, developer: the recommended reserve',
  },
};
