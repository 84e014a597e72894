import type { ComponentType } from 'preact';
import type { Permission } from '../generated/session.ts';
import type { IconName } from './components/icon.tsx';
import { words } from './words.ts';

/** What a page of the console receives: the parts of its path, such as `receiptId`. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

/** A page of the console. Its name is the name of its folder. */
export interface ConsolePage {
  readonly name: string;
  /** The path, with `:names` for its variable parts. */
  readonly path: string;
  readonly title: string;
  /** The icon in the navigation; null for a page that other pages lead to. */
  readonly icon: IconName | null;
  /** The key that opens the page after `g`; null if there is none. */
  readonly key: string | null;
  /** What a role must include to use the page; `operator`: only for platform admins; null: for every wallet. */
  readonly permission: Permission | 'operator' | null;
  load(): Promise<{ default: ComponentType<PageProps> }>;
}

/** The pages of the console, in the order of the navigation. The first four are in the bottom bar of a phone. */
export const PAGES: readonly ConsolePage[] = [
  {
    name: 'home',
    path: '/console',
    title: words.home.title,
    icon: 'home',
    key: 'h',
    permission: 'receipts_read',
    load: () => import('./home/page.tsx'),
  },
  {
    name: 'receipts',
    path: '/console/receipts',
    title: words.receipts.title,
    icon: 'receipt',
    key: 'r',
    permission: 'receipts_read',
    load: () => import('./receipts/page.tsx'),
  },
  {
    name: 'till',
    path: '/console/till',
    title: words.till.title,
    icon: 'till',
    key: 't',
    permission: 'till',
    load: () => import('./till/page.tsx'),
  },
  {
    name: 'receipt',
    path: '/console/receipts/:receiptId',
    title: words.receipt.title,
    icon: null,
    key: null,
    permission: 'receipts_own',
    load: () => import('./receipt/page.tsx'),
  },
  {
    name: 'unmatched',
    path: '/console/unmatched',
    title: words.unmatched.short,
    icon: 'question',
    key: 'u',
    permission: 'receipts_read',
    load: () => import('./unmatched/page.tsx'),
  },
  {
    name: 'refunds',
    path: '/console/refunds',
    title: words.refunds.title,
    icon: 'back',
    key: 'f',
    permission: 'receipts_read',
    load: () => import('./refunds/page.tsx'),
  },
  {
    name: 'payouts',
    path: '/console/payouts',
    title: words.payouts.title,
    icon: 'split',
    key: 'o',
    permission: 'split_read',
    load: () => import('./payouts/page.tsx'),
  },
  {
    name: 'live',
    path: '/console/live',
    title: words.live.title,
    icon: 'pulse',
    key: 'l',
    permission: 'receipts_read',
    load: () => import('./live/page.tsx'),
  },
  {
    name: 'new-payment',
    path: '/console/new',
    title: words.newPayment.title,
    icon: 'plus',
    key: 'n',
    permission: 'receipts_write',
    load: () => import('./new-payment/page.tsx'),
  },
  {
    name: 'catalog',
    path: '/console/catalog',
    title: words.catalog.title,
    icon: 'box',
    key: 'c',
    permission: 'catalog_read',
    load: () => import('./catalog/page.tsx'),
  },
  {
    name: 'catalog-import',
    path: '/console/catalog/import',
    title: words.import.title,
    icon: null,
    key: null,
    permission: 'catalog_write',
    load: () => import('./catalog-import/page.tsx'),
  },
  {
    name: 'plans',
    path: '/console/plans',
    title: words.plans.title,
    icon: 'repeat',
    key: 'p',
    permission: 'receipts_read',
    load: () => import('./plans/page.tsx'),
  },
  {
    name: 'plan',
    path: '/console/plans/:planId',
    title: words.plans.plan,
    icon: null,
    key: null,
    permission: 'receipts_read',
    load: () => import('./plan/page.tsx'),
  },
  {
    name: 'subscription',
    path: '/console/subscriptions/:subscriptionId',
    title: words.plans.one,
    icon: null,
    key: null,
    permission: 'receipts_read',
    load: () => import('./subscription/page.tsx'),
  },
  {
    name: 'shop',
    path: '/console/shop',
    title: words.shop.title,
    icon: 'shop',
    key: 's',
    permission: 'shop_write',
    load: () => import('./shop/page.tsx'),
  },
  {
    name: 'webhooks',
    path: '/console/webhooks',
    title: words.webhooks.title,
    icon: 'webhook',
    key: 'w',
    permission: 'webhooks',
    load: () => import('./webhooks/page.tsx'),
  },
  {
    name: 'webhook-delivery',
    path: '/console/webhooks/deliveries/:deliveryId',
    title: words.webhooks.delivery,
    icon: null,
    key: null,
    permission: 'webhooks',
    load: () => import('./webhook-delivery/page.tsx'),
  },
  {
    name: 'webhook-endpoint',
    path: '/console/webhooks/:endpointId',
    title: words.webhooks.endpoint,
    icon: null,
    key: null,
    permission: 'webhooks',
    load: () => import('./webhook-endpoint/page.tsx'),
  },
  {
    name: 'developers',
    path: '/console/developers',
    title: words.developers.title,
    icon: 'key',
    key: 'd',
    permission: 'keys',
    load: () => import('./developers/page.tsx'),
  },
  {
    name: 'people',
    path: '/console/people',
    title: words.people.title,
    icon: 'people',
    key: 'm',
    permission: 'members_read',
    load: () => import('./people/page.tsx'),
  },
  {
    name: 'audit',
    path: '/console/audit',
    title: words.audit.title,
    icon: 'log',
    key: 'a',
    permission: 'audit_read',
    load: () => import('./audit/page.tsx'),
  },
  {
    name: 'start',
    path: '/console/start',
    title: words.start.title,
    icon: null,
    key: null,
    permission: 'split',
    load: () => import('./start/page.tsx'),
  },
  {
    name: 'register',
    path: '/console/register',
    title: words.register.title,
    icon: null,
    key: null,
    permission: null,
    load: () => import('./register/page.tsx'),
  },
  {
    name: 'operator',
    path: '/console/operator',
    title: words.operator.title,
    icon: 'server',
    key: 'v',
    permission: 'operator',
    load: () => import('./operator/page.tsx'),
  },
  {
    name: 'merchants',
    path: '/console/operator/merchants',
    title: words.merchants.title,
    icon: null,
    key: null,
    permission: 'operator',
    load: () => import('./merchants/page.tsx'),
  },
  {
    name: 'account',
    path: '/console/account',
    title: words.account.title,
    icon: null,
    key: null,
    permission: null,
    load: () => import('./account/page.tsx'),
  },
  {
    name: 'join',
    path: '/console/join',
    title: words.join.title,
    icon: null,
    key: null,
    permission: null,
    load: () => import('./join/page.tsx'),
  },
];

/** The page at a path; undefined if there is none. */
export function pageAt(path: string): ConsolePage | undefined {
  const parts = path.split('/').filter(Boolean);
  return PAGES.find((page) => {
    const wanted = page.path.split('/').filter(Boolean);
    return wanted.length === parts.length && wanted.every((part, n) => part.startsWith(':') || part === parts[n]);
  });
}
