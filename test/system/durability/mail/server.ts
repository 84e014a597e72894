/**
 * An SMTP server for tests that kill it: `node server.ts PORT FILE`. It takes a message once the file has it, as a real
 * one does, with a line of its Message-ID and its receiver.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';

const [port, file] = process.argv.slice(2) as [string, string];
new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, { envelope }, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const [, id] = /^Message-ID: <(.*)>\r$/im.exec(Buffer.concat(chunks).toString('utf8')) ?? [];
      const kept = openSync(file, 'a');
      writeSync(kept, `${id} ${envelope.rcptTo[0]?.address}\n`);
      fsyncSync(kept);
      closeSync(kept);
      done();
    });
  },
})
  .on('error', () => {})
  .listen(Number(port), '127.0.0.1');
