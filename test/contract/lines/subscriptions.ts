import type { ContractSection } from './section.ts';

export const subscriptions: ContractSection = {
  name: 'subscriptions',
  title: 'Plans and subscriptions',
  lines: {
    'plan-fields': 'A plan: `planId, name, description, priceUsd, period, active, createdAt` (milliseconds)',
    period: '`period`: `WEEKLY`, `BIWEEKLY`, `MONTHLY`, `QUARTERLY`, `YEARLY`',
    plans: '`GET /api/subscriptions/plans?wallet=`: 200 `{ success: true, plans }`, the active plans',
    'plans-wallet': '`wallet` is required',
    'plan-create': '`POST /api/subscriptions/plans`, with the merchant’s session: 201 `{ success: true, plan }`',
    'plan-update': '`PUT /api/subscriptions/plans` `{planId, name, description, priceUsd, period, active}`: 200',
    'plan-delete': '`DELETE /api/subscriptions/plans` `{planId, wallet}`: 200; the plan is inactive',
    create:
      '`POST /api/subscriptions/create` `{planId, customerWallet, permissionSignature, permissionData}`: 201 `{ success: true, subscription: {subscriptionId, status, nextChargeAt} }`',
    'create-active': '`status` is `active`, `nextChargeAt` is in milliseconds',
    signature: 'The signature is an EIP-712 signature of the spend permission',
    'permission-addresses': '`permissionData.account`, `spender`, `token`: addresses',
    'permission-allowance': '`permissionData.allowance`: whole base units as a string (6 decimals)',
    'permission-times': '`permissionData.period` in seconds; `start`, `end` in Unix seconds',
    'permission-salt': '`permissionData.salt`: string',
    'permission-extra': '`permissionData.extraData`: hex, `0x` if empty',
    status: '`GET /api/subscriptions/status`: exactly one of `subscriptionId`, `customer`, `merchant`',
    cancel: '`POST /api/subscriptions/cancel` `{subscriptionId, wallet}`: only the subscribing customer',
    charge: '`POST /api/subscriptions/charge`, `x-cron-secret`: one charge',
    cron: '`POST /api/cron/charge-subscriptions`, `x-cron-secret`: `{ success, processed, succeeded, failed, durationMs, results }`',
    daily: 'A daily timer charges all due subscriptions',
  },
};
