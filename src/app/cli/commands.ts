import { Argument } from 'commander';
import { LOG_COMPONENTS, LOG_LEVELS } from '../../base/core/log-level.ts';
import {
  addFilter,
  addRecipient,
  blockNumber,
  type CommandRow,
  commaList,
  hostAndPort,
  https,
  instant,
  lazily,
  moment,
  option,
  port,
  required,
  wallet,
  wholeNumber,
} from './command-row.ts';
import { SETUP_OPTIONS } from './setup-options.ts';

const ofAuditChain = () => option('--merchant <0x…>', "only this merchant's chain, or platform");
/** A key on the command line is visible in the list of processes, so it may be in the environment instead. */
const secret = (more = '') => required('--secret <key>', `the API key that signs${more}`).env('QUITTANCE_KEY');

const ofMerchant = () => required('--wallet <0x…>', "the merchant's wallet");
const onChain = () => option('--chain <id>', 'the chain, the first one by default', blockNumber);
const forAudit = () => required('--reason <text>', 'why, for the audit log');

/** Every command of `quittance`, in the order of the help text. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'start',
    does: 'everything on this machine, with a demo merchant',
    run: lazily(() => import('./serve.ts'), 'runStart'),
  },
  {
    name: 'demo',
    does: 'examples on the local chain',
    commands: [
      {
        name: 'history',
        does: 'a second merchant with 200 payments over a month of the local chain; while no server runs',
        run: lazily(() => import('./demo-history.ts'), 'demoHistory'),
      },
    ],
  },
  {
    name: 'setup',
    does: 'make the environment of an installation: asks at most ten questions, and makes the secrets',
    options: SETUP_OPTIONS,
    json: true,
    run: lazily(() => import('./setup.ts'), 'setup'),
  },
  {
    name: 'first-payment',
    does: 'order for one dollar at the running server, and follow the payment',
    options: [
      ofMerchant(),
      option('--name <name>', 'the name of the shop, if it is not registered yet').default('My shop'),
      option('--no-release', 'leave the collection to SWEEP_MAX_COST_PCT'),
    ],
    run: lazily(() => import('./first-payment.ts'), 'firstPayment'),
  },
  {
    name: 'serve',
    does: 'the server, with its workers',
    options: [option('--no-worker', 'without the workers')],
    run: lazily(() => import('./serve.ts'), 'runServe'),
  },
  { name: 'worker', does: 'the workers alone', run: lazily(() => import('./serve.ts'), 'runWorker') },
  {
    name: 'migrate',
    does: "bring the database's tables up to date",
    run: lazily(() => import('./serve.ts'), 'migrateTables'),
  },
  {
    name: 'doctor',
    does: 'check the configuration and its surroundings, and say how to fix what is wrong',
    json: true,
    run: lazily(() => import('./doctor.ts'), 'doctor'),
  },
  { name: 'info', does: 'what is running here', json: true, run: lazily(() => import('./info.ts'), 'info') },
  { name: 'schema', does: 'write schema.graphql', run: lazily(() => import('./documents.ts'), 'printSchemaFile') },
  { name: 'openapi', does: 'write openapi.json', run: lazily(() => import('./documents.ts'), 'printDocumentFile') },
  {
    name: 'services',
    does: 'the embedded database and local chain, without the server',
    commands: [
      {
        name: 'start',
        does: 'start them, until they are stopped',
        json: true,
        run: lazily(() => import('./services.ts'), 'servicesStart'),
      },
      {
        name: 'stop',
        does: 'stop them, even if they are in use',
        json: true,
        light: true,
        run: lazily(() => import('./services.ts'), 'servicesStop'),
      },
      {
        name: 'remove',
        does: 'delete their data for good: the database and the state of the chain',
        options: [option('--yes', 'delete without asking')],
        json: true,
        light: true,
        run: lazily(() => import('./services.ts'), 'servicesRemove'),
      },
    ],
  },
  {
    name: 'merchant',
    does: 'merchants',
    commands: [
      {
        name: 'create',
        does: 'register a merchant',
        options: [ofMerchant(), required('--name <name>', 'what buyers see'), option('--brand <key>', 'its brand key')],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'merchantCreate'),
      },
      {
        name: 'list',
        does: 'list the merchants, the oldest first',
        json: true,
        run: lazily(() => import('./merchant.ts'), 'merchantList'),
      },
      {
        name: 'invite',
        does: 'a code with which one wallet may register a merchant, for SIGNUP=invite; it is shown once',
        options: [
          option('--hours <hours>', 'how long it can be used, 168 by default', Number),
          option('--note <text>', 'whom it is for'),
        ],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'merchantInvite'),
      },
      {
        name: 'admit',
        does: 'end the limits of newcomers for a merchant that registered itself, with SIGNUP=open',
        options: [ofMerchant()],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'merchantAdmit'),
      },
      {
        name: 'suspend',
        does: 'refuse new sales of a merchant; money that arrives is still credited',
        options: [ofMerchant(), forAudit()],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'merchantSuspend'),
      },
      {
        name: 'resume',
        does: 'end the suspension of a merchant',
        options: [ofMerchant()],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'merchantResume'),
      },
    ],
  },
  {
    name: 'journal',
    does: 'orders that were acknowledged without the database and could not be inserted',
    commands: [
      {
        name: 'list',
        does: 'each with its reason, the oldest first',
        json: true,
        run: lazily(() => import('./operator.ts'), 'journalList'),
      },
      {
        name: 'retry',
        does: 'insert them again, once the cause is gone; beside a running server',
        json: true,
        run: lazily(() => import('./operator.ts'), 'journalRetry'),
      },
      {
        name: 'discard <id>',
        does: 'give one up; its line is kept in discarded.jsonl',
        options: [forAudit()],
        json: true,
        run: lazily(() => import('./operator.ts'), 'journalDiscard'),
      },
    ],
  },
  {
    name: 'epoch',
    does: 'cursors of live streams',
    commands: [
      {
        name: 'renew',
        does: 'refuse all cursors made until now: a step of every restore',
        json: true,
        run: lazily(() => import('./operator.ts'), 'epochRenew'),
      },
    ],
  },
  {
    name: 'secrets',
    does: 'secrets of the installation',
    commands: [
      {
        name: 're-encrypt',
        does: 'encrypt with KEY_ENCRYPTION_KEY what KEY_ENCRYPTION_KEY_PREVIOUS encrypted, beside running servers',
        json: true,
        run: lazily(() => import('./operator.ts'), 'secretsReEncrypt'),
      },
    ],
  },
  {
    name: 'receipts',
    does: 'receipts',
    commands: [
      {
        name: 'reindex',
        does: 'build the search of receipts again, beside a running server',
        json: true,
        run: lazily(() => import('./receipts.ts'), 'receiptsReindex'),
      },
      {
        name: 'export',
        does: 'write receipts as CSV or JSON lines, to stdout or to a file',
        options: [
          ofMerchant(),
          option('--rows <rows>', 'what a row is')
            .choices(['receipts', 'lines', 'payouts', 'payments', 'refunds'])
            .default('receipts'),
          option('--format <format>', 'the format').choices(['csv', 'jsonl']).default('csv'),
          option('--timezone <zone>', 'the zone of all times, for example Europe/Berlin').default('UTC'),
          option('--times <form>', 'the form of times in CSV').choices(['iso', 'spreadsheet']).default('iso'),
          option('--order <order>', 'by creation').choices(['asc', 'desc']).default('desc'),
          option('--filter <name=value>', 'a filter of GET /api/receipts; may be given again', addFilter).default({}),
          option('--out <file>', 'the file; default: stdout'),
        ],
        json: true,
        run: lazily(() => import('./receipts.ts'), 'receiptsExport'),
      },
      {
        name: 'reevaluate',
        does: 'look up the payments of a receipt again',
        options: [ofMerchant(), required('--receipt <id>', 'the receipt')],
        json: true,
        run: lazily(() => import('./operator.ts'), 'receiptsReevaluate'),
      },
    ],
  },
  {
    name: 'pause',
    does: 'offer a token, or a chain, for no new payments',
    options: [onChain(), option('--token <symbol>', 'the token; every token of the chain by default'), forAudit()],
    json: true,
    run: lazily(() => import('./operator.ts'), 'pause'),
  },
  {
    name: 'resume',
    does: 'offer a token, or a chain, again',
    options: [onChain(), option('--token <symbol>', 'the token; the pause of the whole chain by default')],
    json: true,
    run: lazily(() => import('./operator.ts'), 'resume'),
  },
  {
    name: 'log-level',
    does: 'how much every running process logs, until it restarts; needs REDIS_URL',
    arguments: [new Argument('<level>', 'the lowest level that is logged').choices(LOG_LEVELS)],
    options: [option('--component <part>', 'only this part').choices(Object.keys(LOG_COMPONENTS))],
    json: true,
    run: lazily(() => import('./operator.ts'), 'logLevel'),
  },
  {
    name: 'rescan',
    does: 'read blocks again that the watcher has passed, for payments that it missed',
    options: [
      option('--from <block>', 'the first block').argParser(blockNumber),
      option('--to <block>', 'the last block').argParser(blockNumber),
      onChain(),
      option('--receipt <id>', 'only what has arrived at its addresses, on every chain, since it was made'),
      option('--wallet <0x…>', 'its merchant; without it every receipt with this id'),
    ],
    json: true,
    run: lazily(() => import('./operator.ts'), 'rescanBlocks'),
  },
  {
    name: 'key',
    does: 'developer keys',
    commands: [
      {
        name: 'issue',
        does: 'make a key; it is shown once',
        options: [
          ofMerchant(),
          required('--scopes <a,b>', 'what it may do', commaList),
          option('--label <label>', 'a name to find it by'),
          option('--unlimited', 'without rate limits'),
          option('--trusted-only', 'over GraphQL, only documents of TRUSTED_DOCUMENTS'),
          option('--days <days>', 'it expires after this many days', wholeNumber),
          option('--origins <a,b>', 'the origins from which browsers may use it', commaList),
          option('--addresses <a,b>', 'the addresses and networks from which it may be used', commaList),
        ],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'keyIssue'),
      },
      {
        name: 'rotate <id>',
        does: 'replace a key by a new one with the same properties',
        options: [option('--overlap-hours <hours>', 'how long the replaced key still works', wholeNumber).default(0)],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'keyRotate'),
      },
      {
        name: 'revoke <id>',
        does: 'close a key for good',
        json: true,
        run: lazily(() => import('./merchant.ts'), 'keyRevoke'),
      },
      {
        name: 'list',
        does: "a merchant's keys, the revoked ones too",
        options: [ofMerchant()],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'keyList'),
      },
    ],
  },
  {
    name: 'split',
    does: 'splits',
    commands: [
      {
        name: 'set',
        does: "configure a merchant's split",
        options: [
          ofMerchant(),
          option('--recipient <0x…:bps>', 'a recipient with its basis points; may be given again', addRecipient),
          option('--address <0x…>', 'a split contract of your own'),
        ],
        json: true,
        run: lazily(() => import('./merchant.ts'), 'splitSet'),
      },
    ],
  },
  {
    name: 'user',
    does: 'users',
    commands: [
      {
        name: 'import <file>',
        does: 'load users from JSON lines; those that are there are changed',
        json: true,
        run: lazily(() => import('./merchant.ts'), 'userImport'),
      },
    ],
  },
  {
    name: 'wallet',
    does: 'the wallets whose keys the server holds',
    commands: [
      {
        name: 'rotate',
        does: 'what a change of SPENDER_PRIVATE_KEY or SETTLEMENT_PRIVATE_KEY would leave behind; changes nothing',
        options: [required('--plan', 'only print it')],
        json: true,
        run: lazily(() => import('./operator.ts'), 'walletRotate'),
      },
    ],
  },
  {
    name: 'audit',
    does: 'the audit log',
    commands: [
      {
        name: 'verify',
        does: 'whether any entry was changed or removed since it was recorded',
        options: [
          ofAuditChain(),
          option(
            '--head <hash>',
            'a hash that the server logged as the head of the chain: its end must not be cut off',
          ),
        ],
        json: true,
        run: lazily(() => import('./audit.ts'), 'auditVerify'),
      },
      {
        name: 'erase',
        does: 'erase addresses, user agents and e-mail addresses from old entries; the chain stays valid',
        options: [
          required('--before <time>', 'of entries before this time, for example 2026-11-22T04:00Z', moment),
          ofAuditChain(),
        ],
        json: true,
        run: lazily(() => import('./audit.ts'), 'auditErase'),
      },
    ],
  },
  {
    name: 'buyer',
    does: 'buyers',
    commands: [
      {
        name: 'erase',
        does: 'erase the personal data of one buyer from receipts and from all copies, for good',
        options: [
          required('--merchant <0x…>', 'whose buyer'),
          option('--email <address>', 'the buyer with this e-mail address'),
          option('--wallet <0x…>', 'the buyer who paid with this wallet'),
        ],
        json: true,
        run: lazily(() => import('./audit.ts'), 'buyerErase'),
      },
    ],
  },
  {
    name: 'webhook',
    does: 'webhooks',
    commands: [
      {
        name: 'replay [deliveryId]',
        does: 'send a delivery again, or all that have failed since a moment',
        options: [
          option(
            '--failed-since <time>',
            'every failed delivery of an event since then, for example 2026-11-22T04:00Z',
            moment,
          ),
          option('--since <time>', 'every delivery of an event since then, also those that were accepted', moment),
          option('--wallet <0x…>', 'only those of this merchant'),
          option('--kind <kind>', 'only those of this kind of event, for example receipt.paid'),
        ],
        json: true,
        run: lazily(() => import('./webhook.ts'), 'webhookReplay'),
      },
      {
        name: 'listen',
        does: 'a local receiver that verifies signatures and prints events',
        options: [required('--port <port>', 'where to listen', port), secret('; - reads it from stdin')],
        run: lazily(() => import('./webhook.ts'), 'webhookListen'),
      },
      {
        name: 'verify [file]',
        does: 'whether a signature is right for a body, from a file or stdin',
        options: [secret(), required('--signature <sha256=…>', 'the value of X-Service-Signature')],
        json: true,
        light: true,
        run: lazily(() => import('./webhook.ts'), 'webhookVerify'),
      },
    ],
  },
  {
    name: 'address',
    does: 'the addresses that receipts are paid at',
    commands: [
      {
        name: 'verify',
        does: 'compute the address of a receipt offline, say where its money can go, and compare it',
        options: [
          required('--split <0x…>', 'the contract that the money is for', wallet),
          required('--merchant <0x…>', "the merchant's wallet", wallet),
          required('--receipt <id>', 'the id of the receipt'),
          required('--created-at <time>', 'when it was made: 2026-11-22T04:00:00.000Z, or epoch ms', instant),
          option('--number <n>', 'which of its addresses, 0 by default', wholeNumber),
          option('--factory <0x…>', 'what makes the address, the one of this version by default', wallet),
          option('--address <0x…>', 'the address to compare', wallet),
        ],
        json: true,
        light: true,
        run: lazily(() => import('./address.ts'), 'addressVerify'),
      },
      {
        name: 'factory',
        does: 'the transaction that deploys what makes the addresses, for any wallet: to, and data',
        json: true,
        light: true,
        run: lazily(() => import('./address.ts'), 'addressFactory'),
      },
    ],
  },
  {
    name: 'edge',
    does: "the edge in front of a partner's host",
    commands: [
      {
        name: 'check',
        does: 'whether its rules hold, and what to change where not',
        arguments: [new Argument('<https://host>', "the partner's host").argParser(https)],
        options: [option('--connect <host:port>', 'connect here instead of where the name leads', hostAndPort)],
        json: true,
        light: true,
        run: lazily(() => import('./edge.ts'), 'edgeCheck'),
      },
    ],
  },
];
