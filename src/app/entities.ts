import {
  ChainBlockSchema,
  ChainCursorSchema,
  ChainReorganizationSchema,
} from '../base/onchain/blocks/cursor.entity.ts';
import {
  SpenderBroadcastSchema,
  SpenderNonceSchema,
  SpenderTransactionSchema,
} from '../base/onchain/spender/spender-transaction.entity.ts';
import { IdempotentAnswerSchema } from '../base/platform/idempotent-answer.entity.ts';
import { JobSchema } from '../base/platform/job.entity.ts';
import { StreamEpochSchema } from '../base/platform/stream-epoch.entity.ts';
import { AuditEntrySchema, AuditHeadSchema } from '../base/records/audit/audit-entry.entity.ts';
import { ImageSchema } from '../base/records/images/image.entity.ts';
import { LoginNonceSchema, SessionSchema } from '../domain/access/gateway/session.entity.ts';
import { StorageDaySchema } from '../domain/access/gateway/storage-day.entity.ts';
import { ApiKeySchema } from '../domain/access/keys/api-key.entity.ts';
import { SecretCheckSchema } from '../domain/access/keys/secret-check.entity.ts';
import { OnrampSessionSchema } from '../domain/payments/cards/session.entity.ts';
import { PaymentAuthorizationSchema } from '../domain/payments/gasless/authorization.entity.ts';
import { BoundTransactionSchema, SubmittedTransactionSchema } from '../domain/payments/matching/transactions.entity.ts';
import { PaymentPauseSchema } from '../domain/payments/quotes/pause.entity.ts';
import { QuoteSchema } from '../domain/payments/quotes/quote.entity.ts';
import { RefundSchema, RefundTransferSchema } from '../domain/payments/refunds/refund.entity.ts';
import { TransferSchema } from '../domain/payments/transfers/core/transfer.entity.ts';
import { CoinWatchSchema } from '../domain/payments/watching/coin-watch.entity.ts';
import { InvitationSchema } from '../domain/people/members/invitation.entity.ts';
import { FollowSchema, UserSchema } from '../domain/people/users/user.entity.ts';
import { BillingEventSchema, ChargeSchema } from '../domain/recurring/charges/charge.entity.ts';
import { PlanSchema } from '../domain/recurring/plans/plan.entity.ts';
import { SubscriptionEventSchema, SubscriptionSchema } from '../domain/recurring/subscriptions/subscription.entity.ts';
import { EventPositionSchema } from '../domain/reports/events/position.entity.ts';
import {
  ReceiptIndexSchema,
  ReceiptTermSchema,
  SearchRowSchema,
} from '../domain/reports/receipt-search/search-row.entity.ts';
import {
  CountedReceiptSchema,
  CountedZoneSchema,
  DayFiguresSchema,
  MonthFiguresSchema,
} from '../domain/reports/statistics/figures.entity.ts';
import { PaymentLinkSchema } from '../domain/sales/links/link.entity.ts';
import { ReceiptAddressSchema } from '../domain/sales/receipts/address.entity.ts';
import { FollowerSchema, ReceiptTouchSchema } from '../domain/sales/receipts/follower.entity.ts';
import { HistoryRowSchema } from '../domain/sales/receipts/history.entity.ts';
import { ReceiptSchema } from '../domain/sales/receipts/receipt.entity.ts';
import { SettlementShareSchema } from '../domain/settlement/shares/settlement.entity.ts';
import { ItemSchema } from '../domain/shop/catalog/item.entity.ts';
import { PastRateSchema } from '../domain/shop/fx/rate-history.entity.ts';
import { MemberSchema, MerchantInviteSchema, MerchantSchema } from '../domain/shop/merchants/merchant.entity.ts';
import { SplitSchema } from '../domain/shop/splits/split.entity.ts';
import { MerchantJurisdictionSchema } from '../domain/shop/tax/merchant-jurisdiction.entity.ts';
import { AttemptSchema, DeliverySchema, WebhookJobSchema } from '../domain/webhooks/delivery/delivery.entity.ts';
import { WebhookEndpointSchema } from '../domain/webhooks/endpoints/endpoint.entity.ts';
import { MerchantEventSchema } from '../domain/webhooks/events/event.entity.ts';
import { MailCountSchema, MailMessageSchema } from '../domain/webhooks/mail/message.entity.ts';
import { MailPreferenceSchema } from '../domain/webhooks/mail/preference.entity.ts';

/** Every entity of the database, for the ORM and the migrations. */
export const entities = [
  AuditEntrySchema,
  AuditHeadSchema,
  MerchantSchema,
  MemberSchema,
  InvitationSchema,
  MerchantInviteSchema,
  ApiKeySchema,
  SecretCheckSchema,
  SessionSchema,
  StorageDaySchema,
  LoginNonceSchema,
  IdempotentAnswerSchema,
  StreamEpochSchema,
  JobSchema,
  ItemSchema,
  MerchantJurisdictionSchema,
  PastRateSchema,
  SplitSchema,
  ReceiptSchema,
  PaymentLinkSchema,
  HistoryRowSchema,
  ReceiptTouchSchema,
  SearchRowSchema,
  ReceiptTermSchema,
  ReceiptIndexSchema,
  ReceiptAddressSchema,
  FollowerSchema,
  CountedReceiptSchema,
  CountedZoneSchema,
  DayFiguresSchema,
  MonthFiguresSchema,
  PaymentPauseSchema,
  QuoteSchema,
  TransferSchema,
  BoundTransactionSchema,
  CoinWatchSchema,
  PaymentAuthorizationSchema,
  SubmittedTransactionSchema,
  ChainCursorSchema,
  ChainBlockSchema,
  ChainReorganizationSchema,
  SettlementShareSchema,
  OnrampSessionSchema,
  RefundSchema,
  RefundTransferSchema,
  DeliverySchema,
  AttemptSchema,
  WebhookJobSchema,
  WebhookEndpointSchema,
  MailCountSchema,
  MailMessageSchema,
  MailPreferenceSchema,
  MerchantEventSchema,
  EventPositionSchema,
  PlanSchema,
  SubscriptionSchema,
  ChargeSchema,
  BillingEventSchema,
  SpenderNonceSchema,
  SpenderTransactionSchema,
  SpenderBroadcastSchema,
  SubscriptionEventSchema,
  UserSchema,
  ImageSchema,
  FollowSchema,
];
