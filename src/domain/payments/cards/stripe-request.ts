import { toDecimal } from '../../../base/chain/tokens.ts';
import type { StripeNetwork } from '../../../base/platform/config/onramp.ts';
import type { BillingAddress } from '../../sales/receipts/receipt.entity.ts';
import type { SessionRequest } from './provider.ts';

/** The field of `wallet_addresses` for a network; only Base has a different name. */
const ADDRESS_FIELDS: Readonly<Record<StripeNetwork, string>> = {
  ethereum: 'ethereum',
  optimism: 'optimism',
  polygon: 'polygon',
  base: 'base_network',
};

/** The parameters of `POST /v1/crypto/onramp_sessions`: deliver USDC to the split only. */
export function sessionParameters(request: SessionRequest, network: StripeNetwork, sourceAmountCents: number) {
  return {
    wallet_addresses: { [ADDRESS_FIELDS[network]]: request.payTo },
    lock_wallet_address: true,
    source_currency: 'usd',
    source_amount: dollars(sourceAmountCents),
    destination_currency: 'usdc',
    destination_currencies: ['usdc'],
    destination_network: network,
    destination_networks: [network],
    metadata: { receipt_id: request.receiptId, merchant: request.merchant },
    ...(request.buyerAddress ? { customer_ip_address: request.buyerAddress } : {}),
    ...(request.buyer ? { customer_information: customerInformation(request.buyer) } : {}),
    // Stripe does not redirect to a page without TLS.
    ...(request.redirectUrl?.startsWith('https:') ? { redirect_url: request.redirectUrl } : {}),
  };
}

/** Parameters that an API version may not support: an unknown parameter is removed and the request repeated. */
export const OPTIONAL_PARAMETERS = ['redirect_url', 'customer_information', 'customer_ip_address'] as const;

/** The query of `GET /v1/crypto/onramp_quotes`: the amount to charge so that the whole amount arrives. */
export function quoteQuery({ amount, decimals }: SessionRequest, network: StripeNetwork): string {
  return new URLSearchParams({
    source_currency: 'usd',
    destination_amount: toDecimal(amount, decimals),
    'destination_currencies[]': 'usdc',
    'destination_networks[]': network,
  }).toString();
}

function customerInformation(buyer: BillingAddress) {
  const { email, firstName, lastName, line1, line2, city, state, zip, country } = buyer;
  const address = given({ line1, line2, city, state, postal_code: zip, country: country?.toUpperCase() });
  return {
    ...given({ email, first_name: firstName, last_name: lastName }),
    ...(Object.keys(address).length > 0 ? { address } : {}),
  };
}

const given = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** 11005 → `110.05`. */
const dollars = (cents: number): string => (cents / 100).toFixed(2);

/** The fewest cents that buy this many base units at par. */
export function centsAtPar(amount: bigint, decimals: number): number {
  const unitsPerCent = 10n ** BigInt(decimals - 2);
  return Number((amount + unitsPerCent - 1n) / unitsPerCent);
}
