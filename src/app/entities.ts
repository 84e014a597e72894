import { ChainBlock, ChainCursor } from '../base/onchain/blocks/cursor.entity.ts';
import { ChainReorganization } from '../base/onchain/blocks/reorganization.entity.ts';
import {
  SpenderBroadcast,
  SpenderNonce,
  SpenderTransaction,
} from '../base/onchain/spender/spender-transaction.entity.ts';
import { IdempotentAnswer } from '../base/platform/idempotent-answer.entity.ts';
import { Job } from '../base/platform/job.entity.ts';
import { StreamEpoch } from '../base/platform/stream-epoch.entity.ts';
import { AuditEntry } from '../base/records/audit/audit-entry.entity.ts';
import { AuditHead } from '../base/records/audit/audit-head.entity.ts';
import { Image } from '../base/records/images/image.entity.ts';
import { LoginNonce, Session } from '../domain/access/gateway/session.entity.ts';
import { StorageDay } from '../domain/access/gateway/storage-day.entity.ts';
import { ApiKey } from '../domain/access/keys/api-key.entity.ts';
import { SecretCheck } from '../domain/access/keys/secret-check.entity.ts';
import { OnrampSession } from '../domain/payments/cards/session.entity.ts';
import { PaymentAuthorization } from '../domain/payments/gasless/authorization.entity.ts';
import { BoundTransaction } from '../domain/payments/matching/bound-transaction.entity.ts';
import { SubmittedTransaction } from '../domain/payments/matching/submitted-transaction.entity.ts';
import { PaymentPause } from '../domain/payments/quotes/pause.entity.ts';
import { Quote } from '../domain/payments/quotes/quote.entity.ts';
import { Refund, RefundTransfer } from '../domain/payments/refunds/refund.entity.ts';
import { Transfer } from '../domain/payments/transfers/core/transfer.entity.ts';
import { CoinWatch } from '../domain/payments/watching/coin-watch.entity.ts';
import { Invitation } from '../domain/people/members/invitation.entity.ts';
import { Follow } from '../domain/people/users/follow.entity.ts';
import { User } from '../domain/people/users/user.entity.ts';
import { BillingEvent } from '../domain/recurring/charges/billing-event.entity.ts';
import { Charge } from '../domain/recurring/charges/charge.entity.ts';
import { Plan } from '../domain/recurring/plans/plan.entity.ts';
import { Subscription } from '../domain/recurring/subscriptions/subscription.entity.ts';
import { SubscriptionEvent } from '../domain/recurring/subscriptions/subscription-event.entity.ts';
import { EventPosition } from '../domain/reports/events/position.entity.ts';
import { ReceiptIndex } from '../domain/reports/receipt-search/index-state.entity.ts';
import { ReceiptSearchRow } from '../domain/reports/receipt-search/search-row.entity.ts';
import { ReceiptTerm } from '../domain/reports/receipt-search/term.entity.ts';
import { CountedReceipt } from '../domain/reports/statistics/counted-receipt.entity.ts';
import { DayFigures } from '../domain/reports/statistics/day-figures.entity.ts';
import { MonthFigures } from '../domain/reports/statistics/month-figures.entity.ts';
import { ReceiptAddress } from '../domain/sales/receipts/address.entity.ts';
import { ReceiptFollower } from '../domain/sales/receipts/follower.entity.ts';
import { HistoryRow } from '../domain/sales/receipts/history.entity.ts';
import { Receipt } from '../domain/sales/receipts/receipt.entity.ts';
import { ReceiptTouch } from '../domain/sales/receipts/touch.entity.ts';
import { SettlementShare } from '../domain/settlement/shares/settlement.entity.ts';
import { Item } from '../domain/shop/catalog/item.entity.ts';
import { PastRate } from '../domain/shop/fx/rate-history.entity.ts';
import { MerchantInvite } from '../domain/shop/merchants/invite.entity.ts';
import { Member } from '../domain/shop/merchants/member.entity.ts';
import { Merchant } from '../domain/shop/merchants/merchant.entity.ts';
import { Split } from '../domain/shop/splits/split.entity.ts';
import { MerchantJurisdiction } from '../domain/shop/tax/merchant-jurisdiction.entity.ts';
import { Attempt, Delivery, WebhookJob } from '../domain/webhooks/delivery/delivery.entity.ts';
import { WebhookEndpoint } from '../domain/webhooks/endpoints/endpoint.entity.ts';
import { MerchantEvent } from '../domain/webhooks/events/event.entity.ts';

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
  Job,
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
  WebhookJob,
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
