import { AuditEntry } from './audit/audit-entry.entity.ts';
import { AuditHead } from './audit/audit-head.entity.ts';
import { ChainBlock, ChainCursor } from './blocks/cursor.entity.ts';
import { ChainReorganization } from './blocks/reorganization.entity.ts';
import { Item } from './catalog/item.entity.ts';
import { BillingEvent } from './charges/billing-event.entity.ts';
import { Charge } from './charges/charge.entity.ts';
import { EventPosition } from './events/position.entity.ts';
import { PastRate } from './fx/rate-history.entity.ts';
import { PaymentAuthorization } from './gasless/authorization.entity.ts';
import { LoginNonce, Session } from './gateway/session.entity.ts';
import { StorageDay } from './gateway/storage-day.entity.ts';
import { Image } from './images/image.entity.ts';
import { ApiKey } from './keys/api-key.entity.ts';
import { SecretCheck } from './keys/secret-check.entity.ts';
import { MerchantInvite } from './merchants/invite.entity.ts';
import { Member } from './merchants/member.entity.ts';
import { Merchant } from './merchants/merchant.entity.ts';
import { OnrampSession } from './onramp/session.entity.ts';
import { BoundTransaction } from './payments/bound-transaction.entity.ts';
import { CoinWatch } from './payments/coin-watch.entity.ts';
import { SubmittedTransaction } from './payments/submitted-transaction.entity.ts';
import { Transfer } from './payments/transfer.entity.ts';
import { Invitation } from './people/invitation.entity.ts';
import { Plan } from './plans/plan.entity.ts';
import { IdempotentAnswer } from './platform/idempotent-answer.entity.ts';
import { StreamEpoch } from './platform/stream-epoch.entity.ts';
import { PaymentPause } from './quotes/pause.entity.ts';
import { Quote } from './quotes/quote.entity.ts';
import { ReceiptIndex } from './receipt-search/index-state.entity.ts';
import { ReceiptSearchRow } from './receipt-search/search-row.entity.ts';
import { ReceiptTerm } from './receipt-search/term.entity.ts';
import { ReceiptAddress } from './receipts/address.entity.ts';
import { ReceiptFollower } from './receipts/follower.entity.ts';
import { HistoryRow } from './receipts/history.entity.ts';
import { Receipt } from './receipts/receipt.entity.ts';
import { ReceiptTouch } from './receipts/touch.entity.ts';
import { Refund, RefundTransfer } from './refunds/refund.entity.ts';
import { SettlementShare } from './settlement/settlement.entity.ts';
import { SpenderBroadcast, SpenderNonce, SpenderTransaction } from './spender/spender-transaction.entity.ts';
import { Split } from './splits/split.entity.ts';
import { CountedReceipt } from './statistics/counted-receipt.entity.ts';
import { DayFigures } from './statistics/day-figures.entity.ts';
import { MonthFigures } from './statistics/month-figures.entity.ts';
import { Subscription } from './subscriptions/subscription.entity.ts';
import { SubscriptionEvent } from './subscriptions/subscription-event.entity.ts';
import { MerchantJurisdiction } from './tax/merchant-jurisdiction.entity.ts';
import { Follow } from './users/follow.entity.ts';
import { User } from './users/user.entity.ts';
import { Attempt, Delivery } from './webhooks/delivery.entity.ts';
import { WebhookEndpoint } from './webhooks/endpoints/endpoint.entity.ts';
import { MerchantEvent } from './webhooks/events/event.entity.ts';

/** Every entity of the database, for the ORM and the migrations. */
export const entities = [
  AuditEntry,
  AuditHead,
  Merchant,
  Member,
  Invitation,
  MerchantInvite,
  ApiKey,
  SecretCheck,
  Session,
  StorageDay,
  LoginNonce,
  IdempotentAnswer,
  StreamEpoch,
  Item,
  MerchantJurisdiction,
  PastRate,
  Split,
  Receipt,
  HistoryRow,
  ReceiptTouch,
  ReceiptSearchRow,
  ReceiptTerm,
  ReceiptIndex,
  ReceiptAddress,
  ReceiptFollower,
  CountedReceipt,
  DayFigures,
  MonthFigures,
  PaymentPause,
  Quote,
  Transfer,
  BoundTransaction,
  CoinWatch,
  PaymentAuthorization,
  SubmittedTransaction,
  ChainCursor,
  ChainBlock,
  ChainReorganization,
  SettlementShare,
  OnrampSession,
  Refund,
  RefundTransfer,
  Delivery,
  Attempt,
  WebhookEndpoint,
  MerchantEvent,
  EventPosition,
  Plan,
  Subscription,
  Charge,
  BillingEvent,
  SpenderNonce,
  SpenderTransaction,
  SpenderBroadcast,
  SubscriptionEvent,
  User,
  Image,
  Follow,
];
