import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
const SaleText = 'fragment Sale on Receipt{id receiptId status paidAt totalUsd currency pricing{version currency originalTotal originalLineItems{amount}}paymentUrl expiresAt lineItems{label qty priceUsd}}';
export const SellingShop = ('query SellingShop{shopConfig{id name processingFeePct feeBorneBy pricesIncludeTax}siteConfig{id processingFeePct}pricingConfig{id nativeCurrency}taxCatalog{id jurisdictions{id code displayName rate}}}') as Operation<types.SellingShopQuery, types.SellingShopQueryVariables>;
export const ReadSale = ('query ReadSale($receiptId:ID!){receipt(receiptId:$receiptId){...Sale}}' + SaleText) as Operation<types.ReadSaleQuery, types.ReadSaleQueryVariables>;
export const SaleStatus = ('subscription SaleStatus($receiptId:ID!){receiptStatus(receiptId:$receiptId){seq status}}') as Operation<types.SaleStatusSubscription, types.SaleStatusSubscriptionVariables>;
export const SellAmount = ('mutation SellAmount($input:TerminalReceiptInput!$key:String!){createTerminalReceipt(input:$input idempotencyKey:$key){...Sale}}' + SaleText) as Operation<types.SellAmountMutation, types.SellAmountMutationVariables>;
export const SellItems = ('mutation SellItems($input:CreateOrderInput!$key:String!){createOrder(input:$input idempotencyKey:$key){...Sale}}' + SaleText) as Operation<types.SellItemsMutation, types.SellItemsMutationVariables>;