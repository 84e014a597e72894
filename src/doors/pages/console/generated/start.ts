/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** What a new merchant does to be paid. */
export type OnboardingStepName =
  /** Choose the colours of its pages. */
  | 'colours'
  /** Issue the first developer key. */
  | 'key'
  /** Give the shop a logo. */
  | 'logo'
  /** Name the shop. */
  | 'name'
  /** Place a test order. */
  | 'order'
  /** Add the first product. */
  | 'product'
  /** Decide who receives which share of each payment. */
  | 'split';

/** A split. The shares add up to 10000 with the platform's 50 or more, or to 9950 without it. */
export type SplitInput = {
  /** Default: 9950 for the merchant, 50 for the platform. */
  recipients?: Array<SplitRecipientInput> | null | undefined;
  /** The address of your own contract. Default: a contract is created from the recipients. */
  splitAddress?: string | null | undefined;
  /** Optional; must be the caller's own merchant. */
  wallet?: string | null | undefined;
};

/** A recipient of a share of every payment. */
export type SplitRecipientInput = {
  /** 0x followed by 40 hex characters. */
  address: string;
  /** Basis points, 1 to 10000. */
  sharesBps: number;
};

export type StartStepsQueryVariables = Exact<{ [key: string]: never; }>;


export type StartStepsQuery = { onboarding: { next: OnboardingStepName | null, steps: Array<{ step: OnboardingStepName, done: boolean }> } };

export type SharesFragment = { id: string, address: string | null, recipients: Array<{ address: string, sharesBps: number, platform: boolean }> };

export type StartSplitQueryVariables = Exact<{ [key: string]: never; }>;


export type StartSplitQuery = { split: { id: string, address: string | null, recipients: Array<{ address: string, sharesBps: number, platform: boolean }> } };

export type StartProductQueryVariables = Exact<{ [key: string]: never; }>;


export type StartProductQuery = { inventory: { nodes: Array<{ id: string, name: string }> } };

export type StartNameQueryVariables = Exact<{ [key: string]: never; }>;


export type StartNameQuery = { memberships: Array<{ id: string, name: string, current: boolean }> };

export type ChangeSplitMutationVariables = Exact<{
  input: SplitInput;
}>;


export type ChangeSplitMutation = { replaceSplit: { id: string, address: string | null, recipients: Array<{ address: string, sharesBps: number, platform: boolean }> } };

const SharesText = 'fragment Shares on Split{id address recipients{address sharesBps platform}}';
export const StartSteps = ('query StartSteps{onboarding{next steps{step done}}}') as Operation<StartStepsQuery, StartStepsQueryVariables>;
export const StartSplit = ('query StartSplit{split{...Shares}}' + SharesText) as Operation<StartSplitQuery, StartSplitQueryVariables>;
export const StartProduct = ('query StartProduct{inventory(first:1){nodes{id name}}}') as Operation<StartProductQuery, StartProductQueryVariables>;
export const StartName = ('query StartName{memberships{id name current}}') as Operation<StartNameQuery, StartNameQueryVariables>;
export const ChangeSplit = ('mutation ChangeSplit($input:SplitInput!){replaceSplit(input:$input){...Shares}}' + SharesText) as Operation<ChangeSplitMutation, ChangeSplitMutationVariables>;