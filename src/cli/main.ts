import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { Refusal } from '../core/errors.ts';
import { LOG_COMPONENTS, LOG_LEVELS } from '../core/log-level.ts';
import { ConfigFaults } from '../platform/config/faults.ts';
import { version } from '../server/version.ts';
import { addRecipient } from './recipient.ts';

const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return value;
};
/** Epoch ms. */
const moment = (text: string): number => {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new InvalidArgumentError('A time is a date and time in ISO 8601: 2026-11-22T04:00Z.');
};
const https = (text: string): string => {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text;
  throw new InvalidArgumentError('An edge is checked at its public address: https://host.');
};
const hostAndPort = (text: string): string => {
  if (/^.+:\d+$/.test(text)) return text;
  throw new InvalidArgumentError('The address to connect to is a host with a port: 192.0.2.1:443.');
};
const blockNumber = (text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A block is a whole number, for example 21000000.');
};
const wholeNumber = (text: string): number => {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number, for example 30.');
};
/** `name=value`, gathered by name. Times may be written in ISO 8601. */
const addFilter = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('A filter has a name and a value: statuses=paid,completed.');
  const isTime = /^(?:created|paid)(?:From|To)$/.test(name) && !/^\d*$/.test(value);
  return { ...before, [name]: isTime ? String(moment(value)) : value };
};
const commaList = (text: string): string[] => text.split(',').map((part) => part.trim());
/** A key on the command line is visible in the list of processes, so it may be in the environment instead. */
const secret = (more = '') =>
  new Option('--secret <key>', `the API key that signs${more}`).env('QUITTANCE_KEY').makeOptionMandatory();
const json = () => new Option('--json', 'print exactly one JSON value');

/** Loads each command on its first use, because loading the whole server takes longer than most commands. */
const lazily =
  <Verbs extends Record<Verb, (...args: never[]) => Promise<void>>, Verb extends string>(
    load: () => Promise<Verbs>,
    verb: Verb,
  ) =>
  async (...args: unknown[]): Promise<void> =>
    (await load())[verb](...(args as never[]));

const commands = {
  audit: () => import('./audit.ts'),
  buyer: () => import('./buyer.ts'),
  doctor: () => import('./doctor.ts'),
  edge: () => import('./edge.ts'),
  epoch: () => import('./epoch.ts'),
  info: () => import('./info.ts'),
  key: () => import('./key.ts'),
  merchant: () => import('./merchant.ts'),
  migrate: () => import('./migrate.ts'),
  openapi: () => import('./openapi.ts'),
  operator: () => import('./operator.ts'),
  receipts: () => import('./receipts.ts'),
  receiptsExport: () => import('./receipts-export.ts'),
  rescan: () => import('./rescan.ts'),
  schema: () => import('./schema.ts'),
  serve: () => import('./serve.ts'),
  services: () => import('./services.ts'),
  servicesStart: () => import('./services-start.ts'),
  split: () => import('./split.ts'),
  user: () => import('./user.ts'),
  walletRotate: () => import('./wallet-rotate.ts'),
  webhook: () => import('./webhook.ts'),
  webhookReplay: () => import('./webhook-replay.ts'),
};

const program = new Command('quittance').description('Self-hosted crypto payments').version(version);

program
  .command('start')
  .description('everything on this machine, with a demo merchant')
  .action(lazily(commands.serve, 'runStart'));
program
  .command('serve')
  .description('the server, with its workers')
  .option('--no-worker', 'without the workers')
  .action(lazily(commands.serve, 'runServe'));
program.command('worker').description('the workers alone').action(lazily(commands.serve, 'runWorker'));
program
  .command('migrate')
  .description("bring the database's tables up to date")
  .action(lazily(commands.migrate, 'migrateTables'));
program
  .command('doctor')
  .description('check the configuration and its surroundings, and say how to fix what is wrong')
  .addOption(json())
  .action(lazily(commands.doctor, 'doctor'));
program.command('info').description('what is running here').addOption(json()).action(lazily(commands.info, 'info'));
program.command('schema').description('write schema.graphql').action(lazily(commands.schema, 'printSchemaFile'));
program.command('openapi').description('write openapi.json').action(lazily(commands.openapi, 'printDocumentFile'));

const services = program.command('services').description('the embedded database and local chain, without the server');
services
  .command('start')
  .description('start them, until they are stopped')
  .addOption(json())
  .action(lazily(commands.servicesStart, 'servicesStart'));
services
  .command('stop')
  .description('stop them, even if they are in use')
  .addOption(json())
  .action(lazily(commands.services, 'servicesStop'));
services
  .command('remove')
  .description('delete their data for good: the database and the state of the chain')
  .option('--yes', 'delete without asking')
  .addOption(json())
  .action(lazily(commands.services, 'servicesRemove'));

const merchant = program.command('merchant').description('merchants');
merchant
  .command('create')
  .description('register a merchant')
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .requiredOption('--name <name>', 'what buyers see')
  .option('--brand <key>', 'its brand key')
  .addOption(json())
  .action(lazily(commands.merchant, 'merchantCreate'));

program
  .command('epoch')
  .description('cursors of live streams')
  .command('renew')
  .description('refuse all cursors made until now: a step of every restore')
  .addOption(json())
  .action(lazily(commands.epoch, 'epochRenew'));

const receipts = program.command('receipts').description('receipts');
receipts
  .command('reindex')
  .description('build the search of receipts again, beside a running server')
  .addOption(json())
  .action(lazily(commands.receipts, 'receiptsReindex'));
receipts
  .command('export')
  .description('write receipts as CSV or JSON lines, to stdout or to a file')
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .addOption(new Option('--rows <rows>', 'what a row is').choices(['receipts', 'lines', 'payouts']).default('receipts'))
  .addOption(new Option('--format <format>', 'the format').choices(['csv', 'jsonl']).default('csv'))
  .option('--timezone <zone>', 'the zone of all times, for example Europe/Berlin', 'UTC')
  .addOption(new Option('--order <order>', 'by creation').choices(['asc', 'desc']).default('desc'))
  .option('--filter <name=value>', 'a filter of GET /api/receipts; may be given again', addFilter, {})
  .option('--out <file>', 'the file; default: stdout')
  .addOption(json())
  .action(lazily(commands.receiptsExport, 'receiptsExport'));

receipts
  .command('reevaluate')
  .description('look up the payments of a receipt again')
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .requiredOption('--receipt <id>', 'the receipt')
  .addOption(json())
  .action(lazily(commands.operator, 'receiptsReevaluate'));

program
  .command('pause')
  .description('offer a token, or a chain, for no new payments')
  .option('--chain <id>', 'the chain, the first one by default', blockNumber)
  .option('--token <symbol>', 'the token; every token of the chain by default')
  .requiredOption('--reason <text>', 'why, for the audit log')
  .addOption(json())
  .action(lazily(commands.operator, 'pause'));
program
  .command('resume')
  .description('offer a token, or a chain, again')
  .option('--chain <id>', 'the chain, the first one by default', blockNumber)
  .option('--token <symbol>', 'the token; the pause of the whole chain by default')
  .addOption(json())
  .action(lazily(commands.operator, 'resume'));
program
  .command('log-level')
  .description('how much every running process logs, until it restarts; needs REDIS_URL')
  .addArgument(new Argument('<level>', 'the lowest level that is logged').choices(LOG_LEVELS))
  .addOption(new Option('--component <part>', 'only this part').choices(Object.keys(LOG_COMPONENTS)))
  .addOption(json())
  .action(lazily(commands.operator, 'logLevel'));

program
  .command('rescan')
  .description('read blocks again that the watcher has passed, for payments that it missed')
  .requiredOption('--from <block>', 'the first block', blockNumber)
  .requiredOption('--to <block>', 'the last block', blockNumber)
  .option('--chain <id>', 'the chain, the first one by default', blockNumber)
  .addOption(json())
  .action(lazily(commands.rescan, 'rescanBlocks'));
merchant
  .command('list')
  .description('list the merchants, the oldest first')
  .addOption(json())
  .action(lazily(commands.merchant, 'merchantList'));

merchant
  .command('invite')
  .description('a code with which one wallet may register a merchant, for SIGNUP=invite; it is shown once')
  .option('--hours <hours>', 'how long it can be used, 168 by default', Number)
  .option('--note <text>', 'whom it is for')
  .addOption(json())
  .action(lazily(commands.merchant, 'merchantInvite'));

merchant
  .command('suspend')
  .description('refuse new sales of a merchant; money that arrives is still credited')
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .requiredOption('--reason <text>', 'why, for the audit log')
  .addOption(json())
  .action(lazily(commands.merchant, 'merchantSuspend'));
merchant
  .command('resume')
  .description('end the suspension of a merchant')
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .addOption(json())
  .action(lazily(commands.merchant, 'merchantResume'));

const key = program.command('key').description('developer keys');
key
  .command('issue')
  .description('make a key; it is shown once')
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .requiredOption('--scopes <a,b>', 'what it may do', commaList)
  .option('--label <label>', 'a name to find it by')
  .option('--unlimited', 'without rate limits')
  .option('--trusted-only', 'over GraphQL, only documents of TRUSTED_DOCUMENTS')
  .option('--days <days>', 'it expires after this many days', wholeNumber)
  .option('--origins <a,b>', 'the origins from which browsers may use it', commaList)
  .option('--addresses <a,b>', 'the addresses and networks from which it may be used', commaList)
  .addOption(json())
  .action(lazily(commands.key, 'keyIssue'));
key
  .command('rotate <id>')
  .description('replace a key by a new one with the same properties')
  .option('--overlap-hours <hours>', 'how long the replaced key still works', wholeNumber, 0)
  .addOption(json())
  .action(lazily(commands.key, 'keyRotate'));
key
  .command('revoke <id>')
  .description('close a key for good')
  .addOption(json())
  .action(lazily(commands.key, 'keyRevoke'));
key
  .command('list')
  .description("a merchant's keys, the revoked ones too")
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .addOption(json())
  .action(lazily(commands.key, 'keyList'));

program
  .command('split')
  .description('splits')
  .command('set')
  .description("configure a merchant's split")
  .requiredOption('--wallet <0x…>', "the merchant's wallet")
  .option('--recipient <0x…:bps>', 'a recipient with its basis points; may be given again', addRecipient)
  .option('--address <0x…>', 'a split contract of your own')
  .addOption(json())
  .action(lazily(commands.split, 'splitSet'));

program
  .command('user')
  .description('users')
  .command('import <file>')
  .description('load users from JSON lines; those that are there are changed')
  .addOption(json())
  .action(lazily(commands.user, 'userImport'));

program
  .command('wallet')
  .description('the wallets whose keys the server holds')
  .command('rotate')
  .description('what a change of SPENDER_PRIVATE_KEY or SETTLEMENT_PRIVATE_KEY would leave behind; changes nothing')
  .requiredOption('--plan', 'only print it')
  .addOption(json())
  .action(lazily(commands.walletRotate, 'walletRotate'));

const audit = program.command('audit').description('the audit log');
audit
  .command('verify')
  .description('whether any entry was changed or removed since it was recorded')
  .option('--merchant <0x…>', "only this merchant's chain, or platform")
  .option('--head <hash>', 'a hash that the server logged as the head of the chain: its end must not be cut off')
  .addOption(json())
  .action(lazily(commands.audit, 'auditVerify'));
audit
  .command('erase')
  .description('erase addresses, user agents and e-mail addresses from old entries; the chain stays valid')
  .requiredOption('--before <time>', 'of entries before this time, for example 2026-11-22T04:00Z', moment)
  .option('--merchant <0x…>', "only this merchant's chain, or platform")
  .addOption(json())
  .action(lazily(commands.audit, 'auditErase'));

program
  .command('buyer')
  .description('buyers')
  .command('erase')
  .description('erase the personal data of one buyer from receipts and from all copies, for good')
  .requiredOption('--merchant <0x…>', 'whose buyer')
  .option('--email <address>', 'the buyer with this e-mail address')
  .option('--wallet <0x…>', 'the buyer who paid with this wallet')
  .addOption(json())
  .action(lazily(commands.buyer, 'buyerErase'));

const webhook = program.command('webhook').description('webhooks');
webhook
  .command('replay [deliveryId]')
  .description('send a delivery again, or all that have failed since a moment')
  .option(
    '--failed-since <time>',
    'every failed delivery of an event since then, for example 2026-11-22T04:00Z',
    moment,
  )
  .option('--since <time>', 'every delivery of an event since then, also those that were accepted', moment)
  .option('--wallet <0x…>', 'only those of this merchant')
  .option('--kind <kind>', 'only those of this kind of event, for example receipt.paid')
  .addOption(json())
  .action(lazily(commands.webhookReplay, 'webhookReplay'));
webhook
  .command('listen')
  .description('a local receiver that verifies signatures and prints events')
  .requiredOption('--port <port>', 'where to listen', port)
  .addOption(secret('; - reads it from stdin'))
  .action(lazily(commands.webhook, 'webhookListen'));
webhook
  .command('verify [file]')
  .description('whether a signature is right for a body, from a file or stdin')
  .addOption(secret())
  .requiredOption('--signature <sha256=…>', 'the value of X-Service-Signature')
  .addOption(json())
  .action(lazily(commands.webhook, 'webhookVerify'));

program
  .command('edge')
  .description("the edge in front of a partner's host")
  .command('check')
  .description('whether its rules hold, and what to change where not')
  .argument('<https://host>', "the partner's host", https)
  .option('--connect <host:port>', 'connect here instead of where the name leads', hostAndPort)
  .addOption(json())
  .action(lazily(commands.edge, 'edgeCheck'));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${faultLines(error).join('\n')}\n`);
  process.exitCode = 1;
  // What a failed command has left open does not keep the process: nothing would start it again.
  setTimeout(() => process.exit(), 10_000).unref();
}

/**
 * The error lines of a failed command: one per configuration error, else one line; unexpected errors with their stack.
 */
function faultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigFaults) return error.lines;
  if (error instanceof Refusal) return [`${error.code}: ${error.message}`];
  const { code, message, stack } = error as NodeJS.ErrnoException;
  return [code ? (message.startsWith(`${code}:`) ? message : `${code}: ${message}`) : (stack ?? message)];
}
