import { Transform } from 'node:stream';
import nodemailer from 'nodemailer';
import { isPublicHost } from '../core/url.ts';
import { DESTINATIONS } from './destinations.ts';

/** An e-mail, as it is handed to the SMTP server. Names and texts may hold anything: no header can be injected. */
export interface Letter {
  /** Without angle brackets; the same however often the message is sent. */
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Epoch ms. */
  readonly at: number;
  /** Further headers, with values of this program only. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the server said of a message. */
export type Posted =
  /** It is the server's now. */
  | { readonly outcome: 'sent'; readonly words: string }
  /** It will not take this message: a 5xx. `address`: because of the receiver's address. */
  | { readonly outcome: 'refused'; readonly words: string; readonly address: boolean }
  /** It may take it later: a 4xx. `away`: because it was not reached or takes nothing, not because of the message. */
  | { readonly outcome: 'later'; readonly words: string; readonly away: boolean };

/** So many messages are under way at once. */
export const SMTP_AT_ONCE = 5;

export interface Smtp {
  /**
   * Sends one message. Never rejects. `beforeEnd` holds back its end, without which the server cannot have accepted it;
   * if it rejects, the message is not sent.
   */
  send(letter: Letter, beforeEnd?: () => Promise<void>): Promise<Posted>;
  close(): void;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Of the commands of a session, only these are about one message. */
const OF_MESSAGE: readonly (string | undefined)[] = ['MAIL FROM', 'RCPT TO', 'DATA'];
/** Codes by which a server says that it does not know the mailbox, or not any more; a policy is `5.7`. */
const NO_MAILBOX: readonly (number | undefined)[] = [550, 551, 553];
const POLICY = /^\d{3}[ -]5\.7\./;

/** Commas, brackets and quotes of a name are quoted by the MIME writer; lines and controls are no part of a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/**
 * The text as one line of a header, not longer than readers show: without characters that break or reorder it, and
 * without what a reader takes for an encoded word, which could hold such characters.
 */
export const headerLine = (text: string): string =>
  [...text.replace(CONTROLS, ' ').replaceAll('=?', '= ?').replace(/\s+/g, ' ').trim()].slice(0, 120).join('');

/** Whether a text can be the receiver of a message: one mailbox of one host, without quotes, lists and comments. */
export const isMailbox = (text: string): boolean =>
  text.length <= 254 &&
  /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)*[\p{L}\p{N}][\p{L}\p{N}-]*$/u.test(
    text,
  );

/**
 * Whether a session must become one over TLS: with a password everywhere but on this machine, and with every public
 * host, as who sits between could otherwise take the offer of TLS out and read the links of the messages.
 */
export const mustUpgrade = ({ protocol, hostname, username }: URL): boolean =>
  protocol === 'smtp:' && (username === '' ? isPublicHost(hostname) : !LOOPBACK.test(hostname));

/** What a message may take with all its answers: a server may draw each of them out without end. */
const WHOLE_MS = 2 * DESTINATIONS.mail.timeoutMs * SMTP_AT_ONCE;

/**
 * Opens the way to the SMTP server of the settings, the only host that it connects to. The certificate is checked
 * wherever the server offers TLS.
 */
export function openSmtp(smtpUrl: string, { wholeMs = WHOLE_MS } = {}): Smtp {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const { timeoutMs } = DESTINATIONS.mail;
  const transport = nodemailer.createTransport({
    pool: true,
    maxConnections: SMTP_AT_ONCE,
    maxMessages: Number.POSITIVE_INFINITY,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: mustUpgrade(url),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // A message may wait for the ends of all others.
    socketTimeout: timeoutMs * SMTP_AT_ONCE,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  transport.use('stream', ({ data, message }, done) => {
    const { beforeEnd } = data as { beforeEnd?: () => Promise<void> };
    if (beforeEnd) message.transform(() => holdingEnd(beforeEnd));
    done();
  });

  return {
    async send({ from, to, replyTo, subject, at, headers, ...letter }, beforeEnd) {
      if (!isMailbox(to)) return { outcome: 'refused', words: 'not the address of a mailbox', address: true };
      try {
        const { response } = await transport.sendMail({
          ...letter,
          ...(beforeEnd && { beforeEnd }),
          signal: AbortSignal.timeout(wholeMs),
          from: { name: headerLine(from.name), address: from.address },
          to: { name: '', address: to },
          ...(replyTo !== null && isMailbox(replyTo) && { replyTo: { name: '', address: replyTo } }),
          envelope: { from: from.address, to: [to] },
          subject: headerLine(subject),
          date: new Date(at),
          xMailer: false,
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        });
        return { outcome: 'sent', words: wordsOf(response) };
      } catch (error) {
        return outcomeOf(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

/** Passes a message on, and its end once that may come. */
const holdingEnd = (beforeEnd: () => Promise<void>): Transform =>
  new Transform({
    transform: (chunk, _, done) => done(null, chunk),
    flush: (done) => void beforeEnd().then(() => done(), done),
  });

/** An error of the session with the server. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

function outcomeOf({ code, command, message, response, responseCode }: SmtpError): Posted {
  const words = wordsOf(response ?? message);
  const isOfMessage = responseCode !== undefined && OF_MESSAGE.includes(command);
  if (!isOfMessage || responseCode < 500) return { outcome: 'later', words, away: !isOfMessage && code !== 'ESTREAM' };
  const address = command === 'RCPT TO' && NO_MAILBOX.includes(responseCode) && !POLICY.test(response ?? '');
  return { outcome: 'refused', words, address };
}

/** The words of a server, as the log of a merchant shows them. */
const wordsOf = (text: string): string => headerLine(text).slice(0, 500);
