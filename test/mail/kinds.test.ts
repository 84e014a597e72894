import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONFIRM_MAIL, isToMember } from '../../src/domain/webhooks/mail/kinds.ts';
import { composeLong, EVERY_MAIL, LONG_SHOP } from './every-mail.ts';
import { type MailShop, openMailShop } from './shop.ts';

let world: MailShop;
beforeAll(async () => {
  world = await openMailShop({}, LONG_SHOP);
});
afterAll(() => world.stop());

test.each(EVERY_MAIL)(
  '%s is a whole message in %s, at most 30 KB, without pictures, and all of it as plain text',
  async (kind, language) => {
    const letter = await composeLong(world, kind, language);
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
      expect(plain(letter.html)).toContain(line.split(/\u00a0?: ?/)[0]!.replace(/\s+/g, ' '));
    if (kind.startsWith('subscription')) expect(letter.text).toContain(`/subscribe/plan_1?lang=${language}\n`);
    // A refund names the transactions that prove it.
    expect(letter.text.match(/: 0x0{60}/g)?.length).toBe(kind === 'refund' ? 30 : undefined);
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
