import { languageOf } from '../../../base/core/messages/languages.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { findMerchant } from '../../../domain/shop/merchants/find.ts';
import { readShop } from '../../../domain/shop/merchants/read-shop.ts';
import { isAboutReceipt, isNotice, TEST_MAIL } from '../../../domain/webhooks/mail/kinds.ts';
import type { MailMessage } from '../../../domain/webhooks/mail/message.entity.ts';
import type { Composed } from '../../../domain/webhooks/mail/worker.ts';
import { aboutReceipt } from './about-receipt.ts';
import { aboutSubscription } from './about-subscription.ts';
import { type Content, htmlOf, textOf } from './layout.ts';
import { toMember } from './to-member.ts';
import { type Shop, type Tell, voiceIn } from './voice.ts';

/** Makes a message from what is true now; says why there is none. */
export async function composeMail(deps: Deps, mail: MailMessage): Promise<Composed> {
  const [merchant, shop] = await Promise.all([
    findMerchant(deps.db, mail.merchant),
    readShop(deps.db, mail.merchant).catch(() => null),
  ]);
  if (merchant === null || shop === null) return { dropped: 'the merchant is gone' };
  const of: Shop = { merchant: mail.merchant, name: merchant.brandName, timeZone: shop.timeZone };
  const languageFor = (tag: string | null) => languageOf(tag) ?? languageOf(shop.language) ?? 'en';
  const tell: Tell = isAboutReceipt(mail.kind)
    ? aboutReceipt
    : isNotice(mail.kind) || mail.kind === TEST_MAIL
      ? toMember
      : aboutSubscription;
  const told = await tell(deps, mail, of, (tag) => voiceIn(languageFor(tag), of.timeZone));
  if ('dropped' in told) return told;
  const language = languageFor(told.language);
  const { say } = voiceIn(language, of.timeZone);
  const replyTo = shop.replyTo ?? shop.contactEmail;
  const { title, text, lines = [], more = null, facts = [], action = null, stop = null } = told;
  const foot = [say('sent_by', { shop: of.name }), told.why ?? (replyTo === null ? null : say('contact'))];
  const content: Content = {
    ...{ language, title, text, lines, more, facts, action, stop },
    foot: foot.filter((line) => line !== null),
  };
  return {
    from: { name: of.name, address: deps.settings.mail!.from },
    ...{ to: told.to, replyTo, subject: told.subject, text: textOf(content), html: htmlOf(content) },
    headers: stop === null ? {} : listHeaders(of.merchant, deps.settings.baseUrl, stop.url),
  };
}

/** Notices are a list that its receiver leaves by one click (RFC 8058); what concerns one payment is none. */
const listHeaders = (merchant: Wallet, baseUrl: string, stopUrl: string) => ({
  'List-Id': `<${merchant.slice(2)}.${new URL(baseUrl).hostname}>`,
  'List-Unsubscribe': `<${stopUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
