import { MAX_ID, MAX_LABEL } from '../../src/base/core/limits.ts';
import { LANGUAGES, type Language } from '../../src/base/core/messages/languages.ts';
import { confirmId, mailId } from '../../src/domain/webhooks/mail/enqueue.ts';
import {
  BUYER_MAILS,
  CONFIRM_MAIL,
  isToMember,
  type MailKind,
  NOTICE_NAMES,
  NOTICES,
  TEST_MAIL,
} from '../../src/domain/webhooks/mail/kinds.ts';
import type { MailMessage } from '../../src/domain/webhooks/mail/message.entity.ts';
import { setPreference } from '../../src/domain/webhooks/mail/preferences.ts';
import type { Composed } from '../../src/domain/webhooks/mail/worker.ts';
import { composeMail } from '../../src/doors/pages/mail/compose.ts';
import type { MailShop } from './shop.ts';

/** As long as a name may be, and without a place to break it. */
const LONG = 'Ä'.repeat(MAX_LABEL - 20);
export const LONG_SHOP = `S & <b>ons</b> ${LONG}`;

/** Every kind of message. */
const KINDS = [...Object.keys(BUYER_MAILS), ...Object.keys(NOTICES), TEST_MAIL, CONFIRM_MAIL] as MailKind[];

/** The state of the records in which a message has something to say, and what it is about. */
async function prepare(world: MailShop, kind: MailKind, language: string): Promise<Partial<MailMessage>> {
  const { wallet } = world.shop;
  if (isToMember(kind)) {
    const preference = { email: 'owner@example.com', language, notices: NOTICE_NAMES };
    await setPreference(world.deps, { merchant: wallet, wallet }, 'owner', preference);
    const confirmedAt = kind === CONFIRM_MAIL ? null : 1;
    await world.run('update mail_preferences set confirmed_at = ?', [confirmedAt]);
    await makeOpen(world);
    return { member: wallet, id: confirmId(wallet, wallet, preference.email, 0) };
  }
  if (kind.startsWith('subscription')) {
    const id = `sub_${kind}_${language}`;
    const status = { subscription_failed: 'past_due', subscription_ended: 'cancelled' }[kind as string] ?? 'active';
    const nextChargeAt = world.now.ms + 86_400_000;
    await world.run(
      `insert into plans (merchant, id, name, description, price_cents, period, active, created_at, updated_at)
       values (?, 'plan_1', ?, '', 500, 'WEEKLY', true, 1, 1) on conflict do nothing`,
      [wallet, `Bread & roses ${LONG}`],
    );
    await world.run(
      `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
         permission_hash, sealed_signature, status, next_charge_at, charge_count, email, language, created_at, updated_at)
       values (?, ?, 'plan_1', ?, 500, 'WEEKLY', 1, ?, '{"end": 99999999999}', ?, '', ?, ?, 1, 'sub@example.com', ?, 1, 1)`,
      [wallet, id, wallet, wallet, id, status, status === 'cancelled' ? null : nextChargeAt, language],
    );
    const upcoming = { merchant: wallet, kind: 'subscription_upcoming', subjectId: id } as const;
    return { subjectId: id, id: mailId({ ...upcoming, occasion: nextChargeAt }) };
  }
  const lineItems = Array.from({ length: 200 }, (_, i) => ({
    label: `Item ${i} ${LONG}`,
    priceUsd: 4_000.99,
    qty: 2,
  }));
  const id = await world.order({
    buyerEmail: 'ann@example.com',
    language,
    lineItems,
    transactionId: `order-7${'0'.repeat(MAX_ID - 7)}`,
  });
  if (kind === 'receipt') await world.move(id, 'tx_mined', 'paid');
  if (kind === 'part_payment') await world.move(id, 'tx_mismatch');
  if (kind === 'refund') {
    await world.run(
      `insert into refund_transfers (merchant, receipt_id, chain_id, transaction_hash, log_index, token, sender, buyer, amount, created_at)
       select ?, ?, 1, '0x' || lpad(i::text, 64, '0'), ?, 'USDC', '0xs', '0xb', 1, 1 from generate_series(0, 39) i`,
      [wallet, id, LANGUAGES.indexOf(language as Language)],
    );
    await world.run(
      `insert into refunds (merchant, id, receipt_id, state, usd_cents, proven_cents, items, transaction_hashes, buyer, actor, created_at, refunded_at)
       values (?, ?, ?, 'refunded', 250, 250, '[]', ?, '0xb', 'test', 1, 1)`,
      [
        wallet,
        `refund_${language}`,
        id,
        `{${Array.from({ length: 40 }, (_, i) => `0x${String(i).padStart(64, '0')}`)}}`,
      ],
    );
  }
  return { subjectId: id };
}

/** One of everything that notices count. */
async function makeOpen(world: MailShop): Promise<void> {
  const { wallet } = world.shop;
  await world.run(
    `insert into transfers (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms, token, sender,
       pay_to, amount, canonical, merchant, unmatched_reason, exact, seen_at)
     values (?, '0xb', '0xa', 0, 1, 1, 'USDC', '0xs', '0xp', 5000000, true, ?, 'late', false, 1) on conflict do nothing`,
    [world.deps.settings.chainId, wallet],
  );
  await world.run(
    `insert into refunds (merchant, id, receipt_id, state, usd_cents, proven_cents, items, transaction_hashes, buyer, actor, created_at)
     values (?, 'open', 'R', 'requested', 250, 0, '[]', '{}', '0xb', 'test', 1) on conflict do nothing`,
    [wallet],
  );
  await world.run(
    `insert into webhook_endpoints (merchant, id, url, description, kinds, sealed_secret, previous_secrets, state,
       disabled_reason, enabled_at, created_at, updated_at)
     values (?, 'we', 'https://x.example', '', '{*}', '', '[]', 'disabled', 'failing', 1, 1, 1) on conflict do nothing`,
    [wallet],
  );
  await world.run(
    `insert into inventory_items (merchant, id, sku, name, price_usd_cents, stock_qty, tags, images, created_at, updated_at)
     values (?, 'low', 'LOW', 'Low', 5, 2, '{}', '[]', 1, 1) on conflict do nothing`,
    [wallet],
  );
  await world.run(
    `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
       permission_hash, sealed_signature, status, created_at, updated_at)
     values (?, 'due', 'p', ?, 5, 'WEEKLY', 1, ?, '{}', 'due', '', 'past_due', 1, 1) on conflict do nothing`,
    [wallet, wallet, wallet],
  );
}

const nothing = {
  ...{ subjectId: null, member: null, state: 'pending' as const, sent: 0, answer: null, refusedDigest: null },
  ...{ queuedAt: 0, finishedAt: null, id: 'x' },
} as const satisfies Partial<MailMessage>;

/** Makes a message of a kind in a language, with texts as long as they may be. */
export async function composeLong(
  world: MailShop,
  kind: MailKind,
  language: string,
): Promise<Exclude<Composed, { readonly dropped: string }>> {
  const about = await prepare(world, kind, language);
  const letter = await composeMail(world.deps, { ...nothing, merchant: world.shop.wallet, kind, ...about });
  if ('dropped' in letter) throw new Error(letter.dropped);
  return letter;
}

/** Every kind in every language. */
export const EVERY_MAIL = KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const));
