import ts from 'typescript';
import { type Source, sources } from './sources.ts';

/** A table whose rows belong to one chain each. */
interface ChainTable {
  readonly entity: string;
  readonly table: string;
}

/** The tables with a `chain_id`. */
const chainTablesIn = (files: readonly Source[]): ChainTable[] =>
  files.flatMap(({ path, text }) => {
    if (!path.endsWith('.entity.ts')) return [];
    const schemas = text.split(/(?=\bdefineEntity\()/).slice(1);
    return schemas.flatMap((schema) => {
      const [, entity, table] = /name: '(\w+)',\s+tableName: '(\w+)'/.exec(schema) ?? [];
      return entity && table && /^\s{4}chainId: p\./m.test(schema) ? [{ entity, table }] : [];
    });
  });

/**
 * Statements that are right on all chains together, by file and table, with the reason. A third word is the name of the
 * one statement that needs it. What is not listed here binds the chain: an id, a hash, an address or a position may
 * exist on several.
 */
export const ACROSS_CHAINS: Readonly<Record<string, string>> = {
  'src/domain/reports/attention/read-attention.ts PaymentPause': 'lists the pauses of every chain, with their chain',
  'src/domain/reports/attention/read-attention.ts Subscription': 'counts the subscriptions of a merchant',
  'src/domain/recurring/subscriptions/contact.ts Subscription':
    'reads a subscription by merchant and id, and all whose charge comes',
  'src/domain/recurring/subscriptions/change-subscriptions.ts Subscription': 'erases the addresses of a buyer',
  'src/domain/recurring/charges/due-scan.ts Subscription': 'reads chosen subscriptions by merchant and id',
  'src/domain/recurring/charges/read-charges.ts Subscription': 'reads the subscription of a charge by merchant and id',
  'src/domain/reports/exports/payment-rows.ts Transfer': 'lists the payments of a merchant, each with its chain',
  'src/domain/reports/exports/receipt-rows.ts Transfer': 'counts the payments of a receipt',
  'src/domain/reports/exports/refund-rows.ts RefundTransfer': 'lists the refunds of a merchant, each with its chain',
  'src/domain/payments/gasless/possible-authorizations.ts PaymentAuthorization':
    'reads the authorizations of a receipt, each with its chain',
  'src/domain/payments/gasless/store.ts PaymentAuthorization': 'counts the attempts of one receipt, on whatever chain',
  'src/domain/payments/cards/due-sessions.ts OnrampSession': 'finds the sessions whose time is over',
  'src/domain/payments/cards/due-sessions.ts Transfer': 'asks whether anything has arrived for the receipt',
  'src/domain/payments/cards/sessions.ts OnrampSession':
    'reads or erases the sessions of receipts, or reads one by its provider’s id',
  'src/domain/payments/cards/start-checkout.ts OnrampSession': 'counts the sessions of a receipt',
  'src/domain/payments/paying/missing.ts Quote': 'takes the newest quote of a receipt, with its chain',
  'src/domain/payments/paying/missing.ts Transfer': 'adds up the credits of a receipt in US dollars',
  'src/domain/payments/matching/submit.ts Quote': 'takes the chain of the newest quote',
  'src/domain/payments/matching/submit.ts SubmittedTransaction': 'counts the hints of a receipt',
  'src/domain/payments/watching/sweep-rates.ts Transfer': 'rates of a token are the same on every chain',
  'src/domain/payments/matching/transaction-hints.ts SubmittedTransaction':
    'changes one hint by its key: merchant, receipt and hash',
  'src/domain/payments/transfers/transfers.ts Transfer':
    'reads and resets the credits of a receipt; its users add the key or the range',
  'src/domain/payments/unmatched/unmatched.ts Transfer':
    'lists the unmatched transfers of a merchant, each with its chain',
  'src/domain/settlement/payouts/collections.ts Split payouts-address-records':
    'the record of an address is the same on every chain',
  'src/domain/settlement/payouts/list-payouts.ts SettlementShare':
    'lists the payouts of a merchant, each with its chain',
  'src/domain/payments/quotes/pauses.ts PaymentPause': 'lists every pause, or finds one by its key',
  'src/domain/payments/refunds/account.ts Transfer': 'adds up what a receipt has received in US dollars',
  'src/domain/payments/refunds/prove.ts RefundTransfer': 'finds proofs by their place, which has a chain',
  'src/domain/payments/refunds/read.ts RefundTransfer': 'reads the proofs of a refund by their hashes',
  'src/domain/payments/refunds/draft-refund.ts Split': 'a split of the merchant is no buyer on any chain',
  'src/domain/settlement/shares/complete.ts SettlementShare':
    'a receipt is complete when its shares on all chains are settled',
  'src/domain/settlement/shares/request-release.ts SettlementShare': 'counts what a merchant has asked for in a day',
  'src/domain/settlement/shares/share-view.ts SettlementShare': 'lists the shares of a receipt, each with its chain',
  'src/domain/shop/splits/configure.ts Split': 'changes one split by its merchant and id',
  'src/domain/reports/statistics/count.ts RefundTransfer': 'adds up what was sent back of a receipt in US dollars',
  'src/base/onchain/spender/nonce-store.ts SpenderBroadcast': 'the hash of a signed transaction contains the chain',
  'src/domain/recurring/subscriptions/notice-endings.ts Subscription': 'the hash of a permission contains the chain',
  'src/domain/recurring/subscriptions/permission-spenders.ts Subscription':
    'counts permissions by contract, which has one key on all chains',
  'src/domain/recurring/subscriptions/read-subscriptions.ts Subscription':
    'lists subscriptions, or finds one by its permission’s hash',
  'src/domain/reports/underway/money-on-its-way.ts OnrampSession': 'asks for the sessions of a receipt',
  'src/domain/reports/underway/money-on-its-way.ts PaymentAuthorization': 'asks for the authorizations of a receipt',
  'src/domain/reports/underway/money-on-its-way.ts SubmittedTransaction':
    'asks for the hints of a receipt, and joins by their chain',
};

/** Functions that make the condition on a row's whole key, and the file that defines each. */
const KEY_CONDITIONS: Readonly<Record<string, string>> = {
  isTransfer: 'src/domain/payments/transfers/transfers.ts',
};

/** The columns that name a row by themselves, whatever its chain. */
const OWN_IDS: Readonly<Record<string, readonly string[]>> = {
  Subscription: ['id', 'subscriptionId'],
  OnrampSession: ['id', 'providerSessionId'],
  Quote: ['id'],
};

const READS = 'selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin|innerJoinLateral|leftJoinLateral|from|using';
const WRITES = 'updateTable|deleteFrom|mergeInto';
const BUILDS = new RegExp(`^(?:${READS}|${WRITES})$`);

/** A table that a statement uses, by the name that its columns have there. */
interface Use {
  readonly entity: string;
  readonly alias: string | null;
  /** The statement's code. */
  readonly code: string;
  readonly line: number;
}

/**
 * Statements on a table with a `chain_id` that do not bind it, and exceptions that no statement needs. One line per
 * fault.
 */
export function chainKeyFaults(
  files: readonly Source[] = sources(),
  exceptions: Readonly<Record<string, string>> = ACROSS_CHAINS,
): string[] {
  const tables = chainTablesIn(files);
  const found = files
    .filter(({ path }) => !/\.test\.|\/test\/|^src\/doors\/pages\/|^src\/client\//.test(path))
    .flatMap(({ path, text }) =>
      usesIn(text, tables)
        .filter((use) => !bindsChain(use, tables))
        .map(({ entity, code, line }) => {
          const name = `${path} ${entity}`;
          return { name, statement: `${name} ${/\bquery\(\s*'([\w-]+)'/.exec(code)?.[1]}`, line };
        }),
    );
  const named = new Set(found.flatMap(({ name, statement }) => [name, statement]));
  return [
    ...found
      .filter(({ name, statement }) => !(name in exceptions || statement in exceptions))
      .map(({ name, line }) => `${name.replace(' ', `:${line}: a statement on `)} does not bind its chain_id`),
    ...Object.keys(exceptions)
      .filter((name) => !named.has(name))
      .map((name) => `test/gates/chain-keys.ts: "${name}" needs no exception`),
  ];
}

function usesIn(text: string, tables: readonly ChainTable[]): Use[] {
  if (!tables.some(({ entity, table }) => text.includes(entity) || text.includes(table))) return [];
  const file = ts.createSourceFile('any.ts', text, ts.ScriptTarget.Latest, true);
  const uses: Use[] = [];
  const byEntity = new Set(tables.map(({ entity }) => entity));
  const add = (node: ts.Node, entity: string, alias: string | null) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    uses.push({ entity, alias, code: statementOf(node).getText(), line });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name.text;
      const [first] = node.arguments;
      for (const named of BUILDS.test(method) && first ? literalsIn(first) : []) {
        const [entity, alias = null] = named.split(' as ') as [string, string?];
        if (byEntity.has(entity)) add(node, entity, alias);
      }
    }
    if (ts.isTemplateLiteral(node) || ts.isStringLiteral(node))
      for (const { entity, table } of tables)
        for (const [, alias] of node
          .getText()
          .matchAll(
            new RegExp(
              `\\b(?:from|join|update|delete from)\\s+${table}\\b(?:\\s+(?:as\\s+)?(?!set|where|on|order|using|join)([a-z]\\w*))?`,
              'gi',
            ),
          ))
          uses.push({ entity, alias: alias ?? null, code: node.getText(), line: lineOf(file, node) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

const lineOf = (file: ts.SourceFile, node: ts.Node): number =>
  file.getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** The texts in an argument: a name, or a list of names. */
const literalsIn = (node: ts.Node): string[] =>
  ts.isStringLiteral(node)
    ? [node.text]
    : ts.isArrayLiteralExpression(node)
      ? node.elements.filter(ts.isStringLiteral).map(({ text }) => text)
      : [];

/** The smallest declaration or statement around a call of the query builder. */
function statementOf(node: ts.Node): ts.Node {
  let current = node;
  while (current.parent && !ts.isSourceFile(current.parent)) {
    if (ts.isVariableDeclaration(current) || ts.isStatement(current)) return current;
    current = current.parent;
  }
  return current;
}

/** Whether a statement compares, joins or groups by the chain of the table. */
function bindsChain({ entity, alias, code }: Use, tables: readonly ChainTable[]): boolean {
  const { table } = tables.find((one) => one.entity === entity)!;
  const owner = alias === null ? `(?:(?:${entity}|${table})\\.)?` : `${alias}\\.`;
  const column = `'${owner}chainId'`;
  const raw = `(?<![.\\w])${owner}(?:chain_id|chainId)`;
  const bound = [
    `\\b(?:where|whereRef|on|onRef|having|andWhere|eb|and|refTuple|tuple|columns|groupBy)\\((?:[^()]|\\([^()]*\\))*?${column}`,
    `\\b(?:columns|groupBy)\\(\\[[^\\]]*${column}`,
    // `{ merchant, chainId }` in a comparison by fields.
    alias === null ? '\\{[^{}]*\\bchainId\\b(?!: p)[^{}]*\\}' : '(?!)',
    `${raw}\\s*(?:=|<>|in\\b|is not distinct)`,
    `=\\s*(?:any\\s*\\()?\\s*${raw}\\b`,
    `\\b(?:partition by|group by|on conflict)[^)]*${raw}`,
    `using\\s*\\([^)]*\\bchain_id`,
    `Join\\('\\w+ as ${alias}',\\s*${column}`,
    ...Object.keys(KEY_CONDITIONS).map((name) => `\\b${name}\\(`),
    `\\(${raw}\\s*,[^)]*\\)\\s*(?:=|in|<|>)`,
  ];
  const own = (OWN_IDS[entity] ?? []).map(
    (id) => `\\b(?:where|whereRef|on|onRef|eb)\\((?:[^()]|\\([^()]*\\))*?'${owner}${id}'`,
  );
  return [...bound, ...own].some((pattern) => new RegExp(pattern).test(code));
}
