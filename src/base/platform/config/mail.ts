import { integer, read, url, variable } from './values.ts';

/** How e-mail leaves the server. */
export interface MailConfig {
  /** The SMTP server, with user and password if it needs them. */
  readonly smtpUrl: string;
  /** The address that every message comes from. */
  readonly from: string;
  /** The most messages of one merchant within 24 hours. */
  readonly perDay: number;
}

const USUAL_PER_DAY = 2_000;

/** An address that receivers can answer: one line, without a name. */
function parseAddress(raw: string): string {
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(raw))
    throw new Error('must be an e-mail address without a name');
  return raw;
}

export const MAIL_VARIABLES = {
  SMTP_URL: variable(
    url('smtp:', 'smtps:'),
    'no e-mail',
    'smtps://user:password@smtp.example.com:465',
    'The server that sends [e-mail](mail.md). `smtp://` needs STARTTLS with a public host, and with a user except on this machine.',
  ),
  MAIL_FROM: variable(
    read(parseAddress),
    'no e-mail',
    'payments@example.com',
    'The address that e-mail comes from; the name beside it is that of the shop.',
  ),
  MAILS_PER_DAY: variable(
    integer(1, 10_000_000),
    String(USUAL_PER_DAY),
    '10000',
    'The most e-mails of one merchant within 24 hours; a newcomer has a tenth, all newcomers together as many. Further ones wait.',
  ),
} as const;

interface Given {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
  readonly MAILS_PER_DAY?: number | undefined;
}

/** The settings of e-mail; null without a server. The server and the sender belong together. */
export function readMail(
  { SMTP_URL: smtpUrl, MAIL_FROM: from, MAILS_PER_DAY: perDay = USUAL_PER_DAY }: Given,
  fault: (name: 'SMTP_URL' | 'MAIL_FROM', problem: string) => void,
): MailConfig | null {
  if (smtpUrl !== undefined && from !== undefined) return { smtpUrl, from, perDay };
  if (smtpUrl !== undefined) fault('MAIL_FROM', 'must be set together with SMTP_URL');
  if (from !== undefined) fault('SMTP_URL', 'must be set together with MAIL_FROM');
  return null;
}
