import { languageOf } from '../../../base/core/messages/languages.ts';
import { covers } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { readContact } from '../../../domain/recurring/subscriptions/contact.ts';
import { countOpen } from '../../../domain/reports/attention/count-open.ts';
import { configuredRates } from '../../../domain/shop/fx/usd-per-token.ts';
import { findMerchant } from '../../../domain/shop/merchants/find.ts';
import { findMembership } from '../../../domain/shop/merchants/members.ts';
import { readShop } from '../../../domain/shop/merchants/read-shop.ts';
import { confirmId, mailId } from '../../../domain/webhooks/mail/enqueue.ts';
import {
  CONFIRM_MAIL,
  isAboutReceipt,
  isNotice,
  isToMember,
  NEEDED_FOR_NOTICE,
} from '../../../domain/webhooks/mail/kinds.ts';
import type { MailMessage } from '../../../domain/webhooks/mail/message.entity.ts';
import { readPreference } from '../../../domain/webhooks/mail/preferences.ts';
import type { Composed } from '../../../domain/webhooks/mail/worker.ts';
import { planPath } from '../shared/paths.ts';
import { aboutReceipt } from './about-receipt.ts';
import { type Content, htmlOf, textOf } from './layout.ts';
import { type LinkPurpose, memberUrl } from './member-link.ts';
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
  const tell: Tell = isAboutReceipt(mail.kind) ? aboutReceipt : isToMember(mail.kind) ? toMember : aboutSubscription;
  const draft = await tell(deps, mail, of, (tag) => voiceIn(languageFor(tag), of.timeZone));
  if ('dropped' in draft) return draft;
  const language = languageFor(draft.language);
  const { say } = voiceIn(language, of.timeZone);
  const replyTo = shop.replyTo ?? shop.contactEmail;
  const { title, text, lines = [], more = null, facts = [], action = null, stop = null } = draft;
  const foot = [say('sent_by', { shop: of.name }), draft.why ?? (replyTo === null ? null : say('contact'))];
  const content: Content = {
    ...{ language, title, text, lines, more, facts, action, stop },
    foot: foot.filter((line) => line !== null),
  };
  return {
    from: { name: of.name, address: deps.settings.mail!.from },
    ...{ to: draft.to, replyTo, subject: draft.subject, text: textOf(content), html: htmlOf(content) },
    headers: stop === null ? {} : listHeaders(of.merchant, deps.settings.baseUrl, stop.url),
  };
}

/** Notices are a list that its receiver leaves by one click (RFC 8058); what concerns one payment is none. */
const listHeaders = (merchant: Wallet, baseUrl: string, stopUrl: string) => ({
  'List-Id': `<${merchant.slice(2)}.${new URL(baseUrl).hostname}>`,
  'List-Unsubscribe': `<${stopUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The message to a subscriber. What is not so any more is left out. */
const aboutSubscription: Tell = async (deps, { id, kind, merchant, subjectId }, shop, voiceOf) => {
  const found = await readContact(deps.db, merchant, subjectId ?? '');
  if (!found?.email) return { dropped: 'there is no address any more' };
  const { email: to, language, plan, planId, priceCents, period, status, nextChargeAt, chargeCount } = found;
  const isOpen = status === 'active' || status === 'past_due';
  const comes = isOpen && nextChargeAt !== null && nextChargeAt > deps.clock();
  const isSo = {
    subscription_started: isOpen && chargeCount > 0,
    // A reminder is about the charge that it was enqueued for.
    subscription_upcoming:
      comes &&
      id === mailId({ merchant, kind: 'subscription_upcoming', subjectId: subjectId ?? '', occasion: nextChargeAt }),
    subscription_charged: chargeCount > 0,
    subscription_failed: status === 'past_due',
    subscription_ended: !isOpen,
  }[kind as string];
  if (!isSo) return { dropped: 'it is not so any more' };
  const { say, money, date } = voiceOf(language);
  const next = comes ? date(nextChargeAt) : '';
  const values = { shop: shop.name, plan, price: money(priceCents, 'USD'), period, date: next };
  return {
    ...{ to, language },
    subject: say(`${kind}_subject`, values).text,
    title: say(`${kind}_title`),
    text: say(`${kind}_text`, values),
    facts: comes && kind !== 'subscription_upcoming' ? [{ label: say('next_charge').text, value: next }] : [],
    action: { label: say('open_plan').text, url: `${deps.settings.baseUrl}${planPath(planId, languageOf(language))}` },
  };
};

/** The message to a member: how much of a kind is open now, that e-mail works, or whether the address is its own. */
const toMember: Tell = async (deps, { id, kind, merchant, member, queuedAt }, shop, voiceOf) => {
  const key = { merchant, wallet: member! };
  const preference = await readPreference(deps.db, key);
  if (!preference) return { dropped: 'there is no address any more' };
  const { email: to, language, notices, confirmedAt } = preference;
  const { say } = voiceOf(language);
  const linkTo = (purpose: LinkPurpose) => memberUrl(purpose, deps.settings, key, to);
  if (kind === CONFIRM_MAIL) {
    // Each question is about the address that it was enqueued for.
    if (confirmedAt !== null || id !== confirmId(merchant, key.wallet, to, queuedAt))
      return { dropped: 'the address is confirmed, or is another one by now' };
    const values = { shop: shop.name };
    return {
      ...{ to, language, subject: say('confirm_subject', values).text, title: say('confirm_title') },
      ...{ text: say('confirm_text', values), action: { label: say('confirm').text, url: linkTo('confirm') } },
    };
  }
  if (confirmedAt === null) return { dropped: 'the member has not confirmed its address' };
  const stop = { label: say('notice_stop').text, url: linkTo('stop') };
  const common = { to, language, why: say('notice_why'), stop };
  if (!isNotice(kind)) {
    const values = { shop: shop.name };
    return { ...common, subject: say('test_subject', values).text, title: say('test_title'), text: say('test_text') };
  }
  const membership = await deps.db.transaction((uow) => findMembership(uow, merchant, key.wallet));
  const isWanted = notices.includes(kind) && membership && covers(membership.role, [NEEDED_FOR_NOTICE[kind]]);
  if (!isWanted) return { dropped: 'the member does not want it, or its role does not include it any more' };
  const count = await countOpen({ ...deps, readRate: configuredRates(deps) }, merchant, kind);
  if (count === 0) return { dropped: 'nothing of it is open any more' };
  const title = say(kind, { count });
  return {
    ...common,
    subject: say('notice_subject', { shop: shop.name, title: title.text }).text,
    title,
    text: say('notice_text', { shop: shop.name }),
    action: { label: say('open_console').text, url: `${deps.settings.baseUrl}/console` },
  };
};
