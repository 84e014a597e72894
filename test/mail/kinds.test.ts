import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/base/core/messages/languages.ts';
import { confirmId } from '../../src/domain/webhooks/mail/enqueue.ts';
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
import { composeMail } from '../../src/doors/pages/mail/compose.ts';
import { type MailShop, openMailShop } from './shop.ts';

let world: MailShop;
beforeAll(async () => {
  world = await openMailShop({}, 'S & <b>ons</b>');
});
afterAll(() => world.stop());

const KINDS = [...Object.keys(BUYER_MAILS), ...Object.keys(NOTICES), TEST_MAIL, CONFIRM_MAIL] as MailKind[];

/** The state of the records in which a message has something to say, and what it is about. */
async function prepare(kind: MailKind, language: string): Promise<Partial<MailMessage>> {
  const { wallet } = world.shop;
  if (isToMember(kind)) {
    const preference = { email: 'owner@example.com', language, notices: NOTICE_NAMES };
    await setPreference(world.deps, { merchant: wallet, wallet }, 'owner', preference);
    const confirmedAt = kind === CONFIRM_MAIL ? null : 1;
    await world.run('update mail_preferences set confirmed_at = ?', [confirmedAt]);
    await makeOpen();
    return { member: wallet, id: confirmId(wallet, wallet, preference.email, 0) };
  }
  if (kind.startsWith('subscription')) {
    const id = `sub_${kind}_${language}`;
    const status = { subscription_failed: 'past_due', subscription_ended: 'cancelled' }[kind as string] ?? 'active';
    await world.run(
      `insert into plans (merchant, id, name, description, price_cents, period, active, created_at, updated_at)
       values (?, 'plan_1', 'Bread & roses', '', 500, 'WEEKLY', true, 1, 1) on conflict do nothing`,
      [wallet],
    );
    await world.run(
      `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
         permission_hash, sealed_signature, status, next_charge_at, charge_count, email, language, created_at, updated_at)
       values (?, ?, 'plan_1', ?, 500, 'WEEKLY', 1, ?, '{"end": 99999999999}', ?, '', ?, ?, 1, 'sub@example.com', ?, 1, 1)`,
      [wallet, id, wallet, wallet, id, status, status === 'cancelled' ? null : world.now.ms + 86_400_000, language],
    );
    return { subjectId: id };
  }
  const lineItems = Array.from({ length: 200 }, (_, i) => ({
    label: `Item ${i} ${'ä'.repeat(200)}`,
    priceUsd: 1,
    qty: 2,
  }));
  const id = await world.order({ buyerEmail: 'ann@example.com', language, lineItems, transactionId: 'order-7' });
  if (kind === 'receipt') await world.move(id, 'tx_mined', 'paid');
  if (kind === 'part_payment') await world.move(id, 'tx_mismatch');
  if (kind === 'refund')
    await world.run(
      `insert into refunds (merchant, id, receipt_id, state, usd_cents, proven_cents, items, transaction_hashes, buyer, actor, created_at, refunded_at)
       values (?, ?, ?, 'refunded', 250, 250, '[]', array['0xabc'], '0xb', 'test', 1, 1)`,
      [wallet, `refund_${language}`, id],
    );
  return { subjectId: id };
}

/** One of everything that notices count. */
async function makeOpen(): Promise<void> {
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

test.each(KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const)))(
  '%s is a whole message in %s, at most 30 KB, without pictures, and all of it as plain text',
  async (kind, language) => {
    const about = await prepare(kind, language);
    const letter = await composeMail(world.deps, { ...nothing, merchant: world.shop.wallet, kind, ...about });
    if ('dropped' in letter) throw new Error(letter.dropped);
    expect(Buffer.byteLength(letter.html)).toBeLessThanOrEqual(30_000);
    expect(letter.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
    expect(letter.html).toContain('prefers-color-scheme:dark');
    expect(letter.html).not.toMatch(/<(?:img|script|link|iframe|form)|url\(|<b>ons/);
    expect(letter.html.match(/https?:\/\/[^"]+/g)?.every((url) => url.startsWith(world.server.url))).not.toBe(false);
    // Nothing is left of the syntax of a message.
    expect(`${letter.subject}${letter.text}${letter.html.replace(/<style>[\s\S]*<\/style>/, '')}`).not.toMatch(
      /[{}]|undefined|NaN/,
    );
    for (const line of letter.text
      .split('\n')
      .filter((one) => one.length > 3 && one !== '-- ' && !one.startsWith('http')))
      expect(plain(letter.html)).toContain(line.split(/: ?/)[0]!.replace(/\s+/g, ' '));
    const isList = isToMember(kind) && kind !== CONFIRM_MAIL;
    expect('List-Unsubscribe' in letter.headers).toBe(isList);
    expect(letter.html.includes('/mail/stop?')).toBe(isList);
  },
);

const plain = (text: string) =>
  text
    .replace(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ');
