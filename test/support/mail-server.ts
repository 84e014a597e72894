import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A message as a receiver reads it. */
interface Arrived {
  readonly mail: ParsedMail;
  /** The addresses of the envelope. */
  readonly to: readonly string[];
  readonly raw: string;
}

/** What the server answers in place of taking a message: a code and words. */
type Refusal = { readonly code: number; readonly words: string } | null;
type Refuse = (at: 'rcpt' | 'data', to: string) => Refusal | Promise<Refusal>;

/** A real SMTP server on a free port, which keeps what arrives. */
export interface MailServer {
  readonly url: string;
  readonly arrived: Arrived[];
  /** Replaces how the server answers. */
  refuse: Refuse;
  /** Resolves with what has arrived, once it is that many. */
  until(count: number): Promise<readonly Arrived[]>;
  close(): Promise<void>;
}

const refusal = ({ code, words }: { code: number; words: string }) =>
  Object.assign(new Error(words), { responseCode: code });

export async function openMailServer({ port = 0 } = {}): Promise<MailServer> {
  const arrived: Arrived[] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: (all: readonly Arrived[]) => void }>();
  const self: MailServer = {
    url: '',
    arrived,
    refuse: () => null,
    until: (count) =>
      arrived.length >= count
        ? Promise.resolve(arrived)
        : new Promise((resolve) => void waiting.add({ count, resolve })),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onRcptTo({ address }, _session, done) {
      const answer = await self.refuse('rcpt', address);
      done(answer && refusal(answer));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const answer = await self.refuse('data', to[0] ?? '');
        if (answer) return done(refusal(answer));
        const raw = Buffer.concat(chunks).toString('utf8');
        arrived.push({ mail: await simpleParser(raw), to, raw });
        done();
        for (const wait of waiting) if (arrived.length >= wait.count) wait.resolve(arrived);
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.server.address() as AddressInfo;
  return Object.assign(self, { url: `smtp://127.0.0.1:${bound}` });
}
