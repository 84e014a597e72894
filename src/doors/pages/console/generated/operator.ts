/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** What needs the operator. */
export type AlarmCode =
  /** Check the RPC endpoint of RPC_URL and add one to RPC_FALLBACK_URL. Payments wait meanwhile. */
  | 'chain_down'
  /** Inform the merchant. After the repair, send the failed deliveries again. */
  | 'endpoint_failing'
  /** Wait, or raise MAX_FEE_GWEI: transactions wait for lower fees. */
  | 'fees_above_ceiling'
  /** See `quittance journal list`, remove the cause, then run `quittance journal retry`. */
  | 'orders_quarantined'
  /** Resume them in the console or with `quittance resume`, once the reason is gone. */
  | 'payments_paused'
  /** Check that a worker runs, and its log: jobs wait for more than a minute. */
  | 'queue_old'
  /** Start Redis, or check REDIS_URL. Live events arrive up to two seconds late meanwhile. */
  | 'redis_down'
  /** Check the load of the database and the log of the worker. */
  | 'search_behind'
  /** Accept one of their tokens again (TOKENS, CHAINS), or ask the shops to choose others. */
  | 'shop_takes_nothing'
  /** Set FX_SOURCE=chainlink, or remove the coin from TOKENS: its rate never expires. */
  | 'static_rate'
  /** Send native coins to the wallet: it soon cannot pay for its transactions. */
  | 'wallet_low'
  /** Check that a worker runs, and the RPC endpoint: its limits, speed and log index. */
  | 'watcher_behind';

/** What a wallet of the server pays for. */
export type GasWalletRole =
  /** Deploys splits and releases shares. */
  | 'settlement'
  /** Charges subscriptions. */
  | 'spender';

/** A queue of jobs. */
export type QueueName =
  /** Subscriptions to charge. */
  | 'subscription_charge'
  /** Spend permissions to revoke on the chain. */
  | 'subscription_revoke'
  /** Webhooks to send. */
  | 'webhooks';

export type PauseRowFragment = { chainId: number, network: string, token: string | null, reason: string, pausedAt: number };

export type OperatorStateQueryVariables = Exact<{ [key: string]: never; }>;


export type OperatorStateQuery = { platform: { id: string, alarms: Array<{ code: AlarmCode, message: string, action: string }>, paymentPauses: Array<{ chainId: number, network: string, token: string | null, reason: string, pausedAt: number }>, acceptedTokens: Array<{ chainId: number, network: string, token: string }>, watchers: Array<{ chainId: number, network: string, head: number | null, scanned: number | null, confirmed: number | null, behindBlocks: number | null }>, queues: Array<{ name: QueueName, waiting: number, oldestSeconds: number }>, wallets: Array<{ chainId: number, role: GasWalletRole, address: string, balance: string | null, coin: string, network: string, low: boolean }>, failingEndpoints: Array<{ endpointId: string, merchant: string, url: string, enabled: boolean, failingSince: number | null }> } };

export type PausePaymentsMutationVariables = Exact<{
  chainId: number;
  token?: string | null | undefined;
  reason: string;
}>;


export type PausePaymentsMutation = { pausePayments: Array<{ chainId: number, token: string | null }> };

export type ResumePaymentsMutationVariables = Exact<{
  chainId: number;
  token?: string | null | undefined;
}>;


export type ResumePaymentsMutation = { resumePayments: Array<{ chainId: number, token: string | null }> };

const PauseRowText = 'fragment PauseRow on PaymentPause{chainId network token reason pausedAt}';
export const OperatorState = ('query OperatorState{platform{id alarms{code message action}paymentPauses{...PauseRow}acceptedTokens{chainId network token}watchers{chainId network head scanned confirmed behindBlocks}queues{name waiting oldestSeconds}wallets{chainId role address balance coin network low}failingEndpoints{endpointId merchant url enabled failingSince}}}' + PauseRowText) as Operation<OperatorStateQuery, OperatorStateQueryVariables>;
export const PausePayments = ('mutation PausePayments($chainId:SafeInt!$token:String$reason:String!){pausePayments(chainId:$chainId token:$token reason:$reason){chainId token}}') as Operation<PausePaymentsMutation, PausePaymentsMutationVariables>;
export const ResumePayments = ('mutation ResumePayments($chainId:SafeInt!$token:String){resumePayments(chainId:$chainId token:$token){chainId token}}') as Operation<ResumePaymentsMutation, ResumePaymentsMutationVariables>;