import { Argument } from 'commander';
import { hostAndPort, https, instant, moment, port, wallet, wholeNumber } from './argument-parsers.ts';
import { type CommandRow, lazily, option, required } from './command-row.ts';

const ofAuditChain = () => option('--merchant <0x…>', "only this merchant's chain, or platform");
/** A key on the command line is visible in the list of processes, so it may be in the environment instead. */
const secret = (more = '') => required('--secret <key>', `the API key that signs${more}`).env('QUITTANCE_KEY');

/** The commands about what was recorded and delivered, and about the edge: the end of the help text. */
export const RECORD_COMMANDS: readonly CommandRow[] = [
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
        run: lazily(() => import('./buyer.ts'), 'buyerErase'),
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
        run: lazily(() => import('./webhook-replay.ts'), 'webhookReplay'),
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
