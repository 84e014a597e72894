/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** A token on a chain that buyers may pay in. */
export type ChosenTokenInput = {
  /** A chain of the server (EIP-155). */
  chainId: number;
  /** The symbol of a token of this chain. */
  token: string;
};

/** A currency that prices can have. */
export type Currency =
  /** Euro. */
  | 'EUR'
  /** US dollar. */
  | 'USD';

/** A discount from a minimum number of minutes. */
export type DiscountRuleInput = {
  /** Percent, 0 to 100, at most two decimals. */
  discountPct: number;
  /** A whole number from 0 to 525600. */
  minMinutes: number;
};

/** The fields to change. Omitted fields keep their values; null clears a field. */
export type PricingConfigInput = {
  /** Replaces all rules. */
  discountRules?: Array<DiscountRuleInput> | null | undefined;
  /** Ether for two minutes. */
  ethPer2Min?: number | null | undefined;
  /** A whole number from 0 to 525600. */
  minMinutes?: number | null | undefined;
  /** USD or EUR. */
  nativeCurrency?: Currency | null | undefined;
  /** Optional; must be the caller's own merchant. */
  wallet?: string | null | undefined;
};

/** The fields to change. Omitted fields keep their values; null clears a field. */
export type ShopConfigInput = {
  /** Whether buyers may renew expired receipts, at the current price. */
  allowRenewal?: boolean | null | undefined;
  /** A keyword for the layout. */
  arrangement?: string | null | undefined;
  /** About the people behind the shop. */
  bio?: string | null | undefined;
  /** What the shop sells. */
  description?: string | null | undefined;
  /** Whether buyers may pay with a signature, so that the operator pays the gas. */
  gasless?: boolean | null | undefined;
  /** Whether orders hold the stock of their items until they are paid or end. */
  holdStock?: boolean | null | undefined;
  /** For how many hours after a receipt has expired money still pays it: 0 to 720. */
  lateHours?: number | null | undefined;
  /** Replaces all links. */
  links?: Array<ShopLinkInput> | null | undefined;
  /** The name shown to buyers. */
  name?: string | null | undefined;
  /** What buyers may pay in, most preferred first; null: everything. Money in other tokens and on other chains is listed as unmatched. */
  paymentTokens?: Array<ChosenTokenInput> | null | undefined;
  /** Whether scripts supplied with orders may run in the buyer’s browser, in a sandbox. */
  postPaymentScripts?: boolean | null | undefined;
  /** Percent, 0 to 20, at most two decimals. */
  processingFeePct?: number | null | undefined;
  /** Whether the merchant has completed the setup. */
  setupComplete?: boolean | null | undefined;
  /** Lower-case letters, digits and hyphens. */
  slug?: string | null | undefined;
  /** The look of its pages. Omitted fields keep their values. */
  theme?: ShopThemeInput | null | undefined;
  /** How much of a total may be missing, in percent: 0 to 10, at most two decimals. */
  tolerancePct?: number | null | undefined;
  /** How much may be missing, in US dollars: 0 to 1000, at most two decimals. */
  toleranceUsd?: number | null | undefined;
  /** Optional; must be the caller's own merchant. */
  wallet?: string | null | undefined;
  /** 0 to 1,000,000. */
  xpPerDollar?: number | null | undefined;
};

/** A link for the shop to show. */
export type ShopLinkInput = {
  /** The text of the link. */
  label: string;
  /** An https address. */
  url: string;
};

/** The theme fields to change; null clears a field. */
export type ShopThemeInput = {
  /** A CSS hex colour. */
  accentColor?: string | null | undefined;
  /** An https address or a data URI. */
  brandLogoUrl?: string | null | undefined;
  /** An https address or a data URI. */
  coverPhotoUrl?: string | null | undefined;
  /** Font names, in order of preference. */
  fontFamily?: string | null | undefined;
  /** A keyword for the title’s size. */
  heroFontSize?: string | null | undefined;
  /** A keyword for the logo’s frame. */
  logoShape?: string | null | undefined;
  /** A CSS hex colour. */
  primaryColor?: string | null | undefined;
  /** A CSS hex colour. */
  secondaryColor?: string | null | undefined;
  /** A CSS hex colour. */
  textColor?: string | null | undefined;
};

/** A part of a tax that can be applied separately. */
export type TaxComponentInput = {
  /** Unique within the jurisdiction. */
  code: string;
  /** 0 to 1, at most six decimals. */
  rate: number;
};

/** A merchant's own jurisdiction. It replaces the public one with the same code. */
export type TaxJurisdictionInput = {
  /** Letters, digits and hyphens, such as `US-CA`. */
  code: string;
  /** Default: none. */
  components?: Array<TaxComponentInput> | null | undefined;
  /** Default: the code. */
  displayName?: string | null | undefined;
  /** 0 to 1. Default: the sum of the components. */
  rate?: number | null | undefined;
  /** Optional; must be the caller's own merchant wallet. */
  wallet?: string | null | undefined;
};

export type ShopFieldsFragment = { id: string, name: string | null, description: string | null, processingFeePct: number, postPaymentScripts: boolean, allowRenewal: boolean, holdStock: boolean, lateHours: number, tolerancePct: number, toleranceUsd: number, gasless: boolean, paymentTokens: Array<{ chainId: number, token: string }> | null, theme: { primaryColor: string | null, secondaryColor: string | null, textColor: string | null, accentColor: string | null, brandLogoUrl: string | null, fontFamily: string | null } };

export type TaxFieldsFragment = { id: string, code: string, displayName: string, rate: number, own: boolean };

export type ShopSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type ShopSettingsQuery = { shopConfig: { id: string, name: string | null, description: string | null, processingFeePct: number, postPaymentScripts: boolean, allowRenewal: boolean, holdStock: boolean, lateHours: number, tolerancePct: number, toleranceUsd: number, gasless: boolean, paymentOptions: Array<{ chainId: number, network: string, token: string, chosen: boolean, paused: boolean, networkFeeUsd: string | null, expectedConfirmationMs: number }>, paymentTokens: Array<{ chainId: number, token: string }> | null, theme: { primaryColor: string | null, secondaryColor: string | null, textColor: string | null, accentColor: string | null, brandLogoUrl: string | null, fontFamily: string | null } }, memberships: Array<{ id: string, name: string, current: boolean }>, pricingConfig: { id: string, nativeCurrency: Currency }, taxCatalog: { id: string, jurisdictions: Array<{ id: string, code: string, displayName: string, rate: number, own: boolean }> } };

export type UpdateShopMutationVariables = Exact<{
  input: ShopConfigInput;
}>;


export type UpdateShopMutation = { updateShopConfig: { id: string, name: string | null, description: string | null, processingFeePct: number, postPaymentScripts: boolean, allowRenewal: boolean, holdStock: boolean, lateHours: number, tolerancePct: number, toleranceUsd: number, gasless: boolean, paymentTokens: Array<{ chainId: number, token: string }> | null, theme: { primaryColor: string | null, secondaryColor: string | null, textColor: string | null, accentColor: string | null, brandLogoUrl: string | null, fontFamily: string | null } } };

export type UpdatePricingMutationVariables = Exact<{
  input: PricingConfigInput;
}>;


export type UpdatePricingMutation = { updatePricingConfig: { id: string, nativeCurrency: Currency } };

export type SaveTaxMutationVariables = Exact<{
  input: TaxJurisdictionInput;
}>;


export type SaveTaxMutation = { saveJurisdiction: { id: string, code: string, displayName: string, rate: number, own: boolean } };

export type DeleteTaxMutationVariables = Exact<{
  code: string;
}>;


export type DeleteTaxMutation = { deleteJurisdiction: boolean };

const ShopFieldsText = 'fragment ShopFields on ShopConfig{id name description processingFeePct postPaymentScripts allowRenewal holdStock lateHours tolerancePct toleranceUsd gasless paymentTokens{chainId token}theme{primaryColor secondaryColor textColor accentColor brandLogoUrl fontFamily}}';
const TaxFieldsText = 'fragment TaxFields on TaxJurisdiction{id code displayName rate own}';
export const ShopSettings = ('query ShopSettings{shopConfig{...ShopFields paymentOptions{chainId network token chosen paused networkFeeUsd expectedConfirmationMs}}memberships{id name current}pricingConfig{id nativeCurrency}taxCatalog{id jurisdictions{...TaxFields}}}' + ShopFieldsText + TaxFieldsText) as Operation<ShopSettingsQuery, ShopSettingsQueryVariables>;
export const UpdateShop = ('mutation UpdateShop($input:ShopConfigInput!){updateShopConfig(input:$input){...ShopFields}}' + ShopFieldsText) as Operation<UpdateShopMutation, UpdateShopMutationVariables>;
export const UpdatePricing = ('mutation UpdatePricing($input:PricingConfigInput!){updatePricingConfig(input:$input){id nativeCurrency}}') as Operation<UpdatePricingMutation, UpdatePricingMutationVariables>;
export const SaveTax = ('mutation SaveTax($input:TaxJurisdictionInput!){saveJurisdiction(input:$input){...TaxFields}}' + TaxFieldsText) as Operation<SaveTaxMutation, SaveTaxMutationVariables>;
export const DeleteTax = ('mutation DeleteTax($code:String!){deleteJurisdiction(code:$code)}') as Operation<DeleteTaxMutation, DeleteTaxMutationVariables>;