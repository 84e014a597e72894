import { Command, InvalidArgumentError, Option } from 'commander';
import { Refusal } from '../core/errors.ts';
import { ConfigFaults } from '../platform/config.ts';
import { version } from '../server/version.ts';
import { info } from './info.ts';
import { keyIssue, keyList, keyRevoke, keyRotate } from './key.ts';
import { merchantCreate } from './merchant.ts';
import { migrateTables } from './migrate.ts';
import { printSchemaFile } from './schema.ts';
import { runServe, runStart, runWorker } from './serve.ts';
import { servicesStart, servicesStop } from './services.ts';
import { readRecipient, splitSet } from './split.ts';
import { webhookListen, webhookReplay } from './webhook.ts';

const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return value;
};
const commaList = (text: string): string[] => text.split(',').map((part) => part.trim());
const json = () => new Option('--json', 'print exactly one JSON value');

const program = new Command('quittance').description('Self-hosted crypto payments').version(version);

program.command('start').description('everything on this machine, with a demo merchant').action(runStart);
program
  .command('serve')
  .description('the server, with its workers')
  .option('--no-worker', 'without the workers')
  .action(runServe);
program.command('worker').description('the workers alone').action(runWorker);
program.command('migrate').description("bring the database's tables up to date").action(migrateTables);
program.command('info').description('what is running here').addOption(json()).action(info);
program.command('schema').description('write schema.graphql').action(printSchemaFile);

const services = program.command('services').description('the embedded database and local chain, without the server');
services.command('start').action(servicesStart);
services.command('stop').action(servicesStop);

const merchant = program.command('merchant').description('merchants');
merchant
  .command('create')
  .description('register a merchant')
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .requiredOption('--name <name>', 'what buyers see')
  .option('--brand <key>', 'its brand key')
  .addOption(json())
  .action(merchantCreate);

const key = program.command('key').description('developer keys');
key
  .command('issue')
  .description('make a key; it is shown once')
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .requiredOption('--scopes <a,b>', 'what it may do', commaList)
  .option('--label <label>', 'a name to find it by')
  .option('--unlimited', 'without rate limits')
  .addOption(json())
  .action(keyIssue);
key
  .command('rotate <id>')
  .description('replace a key by a new one with the same scopes')
  .addOption(json())
  .action(keyRotate);
key.command('revoke <id>').description('close a key for good').addOption(json()).action(keyRevoke);
key.command('list').requiredOption('--wallet <0x…>', "the merchant's wallet").addOption(json()).action(keyList);

program
  .command('split')
  .description('splits')
  .command('set')
  .description("configure a merchant's split")
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .option(
    '--recipient <0x…:bps>',
    'a recipient with its basis points; may be given again',
    (text, previous: ReturnType<typeof readRecipient>[] = []) => [...previous, readRecipient(text)],
  )
  .option('--address <0x…>', 'a split contract of your own')
  .addOption(json())
  .action(splitSet);

const webhook = program.command('webhook').description('webhooks');
webhook.command('replay <deliveryId>').description('send a delivery again').addOption(json()).action(webhookReplay);
webhook
  .command('listen')
  .description('a local receiver that verifies signatures and prints events')
  .requiredOption('--port <port>', 'where to listen', port)
  .requiredOption('--secret <key>', 'the key that signs')
  .action(webhookListen);

try {
  await program.parseAsync();
} catch (error) {
  const lines =
    error instanceof ConfigFaults
      ? error.lines
      : [error instanceof Refusal ? `${error.code}: ${error.message}` : String((error as Error).stack)];
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}
