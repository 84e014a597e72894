import { type AddressInfo, createServer } from 'node:net';
import { hostname } from 'node:os';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { headerLine, isMailbox, mustUpgrade, openSmtp, type Smtp } from '../../src/base/outgoing/smtp.ts';
import { htmlOf, textOf } from '../../src/doors/pages/mail/layout.ts';
import { html } from '../../src/doors/pages/shared/html.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';

let server: MailServer;
let smtp: Smtp;
beforeAll(async () => {
  server = await openMailServer();
  smtp = openSmtp(server.url);
});
afterAll(async () => {
  smtp.close();
  await server.close();
});

/** Texts that have broken headers, addresses or MIME elsewhere, within texts of any kind. */
const BREAKING = [
  '\r\nBcc: victim@example.com',
  '\nContent-Type: text/plain\n\nhello',
  '\r\n\r\n<script>alert(1)</script>',
  '\u2028Bcc: victim@example.com',
  '"quoted" <victim@example.com>',
  'a@b.example, c@d.example;',
  '=?utf-8?Q?=0D=0ABcc:_victim@example.com?=',
  '\u202egnitrats thgir',
  '--boundary--\r\n.\r\nQUIT\r\n',
  '\0\x1b[31m',
  'ä'.repeat(300),
  '👩‍👩‍👧',
  '</bdi></td><img src="https://evil.example/x.png">',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...BREAKING), fc.string({ unit: 'grapheme', maxLength: 20 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));

const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
];

test('no name and no label injects a header or breaks the MIME, and the reader reads back what was meant', async () => {
  const cases = fc.sample(fc.record({ name: hostile, subject: hostile, label: hostile, replyTo: hostile }), {
    numRuns: 1_000,
    seed: 41,
  });
  for (const [number, { name, subject, label, replyTo }] of cases.entries()) {
    const said = { text: label, html: html`${label}` };
    const content = {
      ...{ language: 'en' as const, title: said, text: said, lines: [{ label, amount: '$5.00' }], more: null },
      ...{ facts: [{ label: 'x', value: label }], action: null, foot: [said], stop: null },
    };
    const text = textOf(content);
    const posted = await smtp.send({
      ...{ messageId: `${number}@pay.example`, from: { name, address: 'payments@pay.example' } },
      ...{ to: 'buyer@example.com', replyTo, subject, text, html: htmlOf(content), at: 0, headers: {} },
    });
    expect(posted.outcome).toBe('sent');
    const { mail, to, raw } = server.arrived.at(-1)!;
    expect(to).toEqual(['buyer@example.com']);
    expect(mail.headerLines.map(({ key }) => key).sort()).toEqual(
      HEADERS.filter(
        (header) =>
          (header !== 'reply-to' || isMailbox(replyTo)) && (header !== 'subject' || headerLine(subject) !== ''),
      ),
    );
    expect(mail.subject ?? '').toBe(headerLine(subject));
    expect(mail.from!.value).toEqual([{ name: headerLine(name), address: 'payments@pay.example' }]);
    expect(lines(mail.text!)).toBe(lines(text));
    expect(mail.attachments).toEqual([]);
    expect(String(mail.html)).not.toMatch(/<(?:script|img)/);
    expect(Buffer.byteLength(raw)).toBeLessThan(30_000);
  }
});

/** Mail has its own ends of lines, and no NUL. */
const lines = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\0', '').trimEnd();

test.each([
  'a@b.example, c@d.example',
  '"a@evil.example"@good.example',
  'a@evil.example\r\nRCPT TO:<b@c.example>',
  'a b@c.example',
  '<a@b.example>',
  'a@b.example>SIZE=1',
  'a@[127.0.0.1]',
  'a@-b.example',
  'a@b..example',
  'a(comment)@b.example',
  'a@b.example;c',
  'a@b@c.example',
  `${'a'.repeat(65)}@b.example`,
  '',
])('nothing is sent to %j, which is not one mailbox', async (to) => {
  const before = server.arrived.length;
  const posted = await smtp.send({
    ...{ messageId: 'x@pay.example', from: { name: 'Shop', address: 'payments@pay.example' }, to, replyTo: null },
    ...{ subject: 's', text: 't', html: '<p>t</p>', at: 0, headers: {} },
  });
  expect(posted).toMatchObject({ outcome: 'refused', address: true });
  expect(server.arrived).toHaveLength(before);
});

test('an address with letters beyond ASCII arrives where it was meant', async () => {
  const posted = await smtp.send({
    ...{ messageId: 'y@pay.example', from: { name: 'Ömer', address: 'payments@pay.example' }, replyTo: null },
    ...{ to: 'jörg@bücher.example', subject: 'Größe', text: 't', html: '<p>t</p>', at: 0, headers: {} },
  });
  expect(posted.outcome).toBe('sent');
  const { mail, raw } = server.arrived.at(-1)!;
  expect(mail.subject).toBe('Größe');
  expect((await simpleParser(raw)).from!.value[0]!.name).toBe('Ömer');
});

test.each([
  ['smtp://relay.example.com', true],
  ['smtp://203.0.113.7:25', false],
  ['smtp://8.8.8.8:25', true],
  ['smtp://[2606:4700::1111]:25', true],
  ['smtp://relay:25', false],
  ['smtp://mail.internal:25', false],
  ['smtp://10.0.0.5:25', false],
  ['smtp://user:secret@10.0.0.5:25', true],
  ['smtp://user:secret@relay:25', true],
  ['smtp://127.0.0.1:1025', false],
  ['smtp://user:secret@localhost:1025', false],
  ['smtps://user:secret@relay.example.com', false],
])('a session with %s is ended unless the server offers TLS: %s', (url, must) => {
  expect(mustUpgrade(new URL(url))).toBe(must);
});

test('a user and a password are never sent without TLS to another machine', async () => {
  /** A server without TLS that offers a login, and what it was sent. */
  const heard: string[] = [];
  const plain = createServer((socket) => {
    socket.write('220 relay.example ESMTP\r\n');
    socket.on('data', (data) => {
      heard.push(String(data));
      socket.write(/^EHLO/i.test(String(data)) ? '250-relay.example\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no\r\n');
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => plain.listen(0, resolve));
  onTestFinished(() => void plain.close());
  const { port } = plain.address() as AddressInfo;
  const letter = {
    ...{ messageId: 'z@pay.example', from: { name: 'S', address: 'payments@pay.example' }, to: 'a@b.example' },
    ...{ replyTo: null, subject: 's', text: 't', html: 't', at: 0, headers: {} },
  };
  // The name of this machine is no loopback name.
  const other = openSmtp(`smtp://user:secret@${hostname()}:${port}`);
  expect((await other.send(letter)).outcome).toBe('later');
  other.close();
  expect(heard.join('')).toMatch(/^EHLO/);
  expect(heard.join('')).not.toMatch(/AUTH/i);
  // The same server on this machine gets the login: the test could see one.
  const own = openSmtp(`smtp://user:secret@127.0.0.1:${port}`);
  await own.send(letter);
  own.close();
  expect(heard.join('')).toMatch(/AUTH/i);
});
