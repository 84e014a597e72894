/**
 * Compiles the contracts beside this file into the checked-in artifacts. `node compile.ts` writes them; `node
 * compile.ts --check` exits with 1 if one differs from the compiled sources. The server reads only the artifacts,
 * because addresses depend on their exact bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Artifact → the source file of the contract, and the contract's name. */
const artifacts: Readonly<Record<string, readonly [source: string, contract: string]>> = {
  'payment-splitter.json': ['@openzeppelin/contracts/finance/PaymentSplitter.sol', 'PaymentSplitter'],
  'test-token.json': ['TestToken.sol', 'TestToken'],
  'test-token-with-authorization.json': ['TestTokenWithAuthorization.sol', 'TestTokenWithAuthorization'],
  'test-price-feed.json': ['TestPriceFeed.sol', 'TestPriceFeed'],
  'spend-permission-manager.json': ['SpendPermissionManager.sol', 'SpendPermissionManager'],
  'spend-permission-charger.json': ['SpendPermissionCharger.sol', 'SpendPermissionCharger'],
  'spend-permission-account.json': ['SpendPermissionAccount.sol', 'SpendPermissionAccount'],
  'spend-permission-account-factory.json': ['SpendPermissionAccount.sol', 'SpendPermissionAccountFactory'],
  'receipt-forwarder.json': ['ReceiptAddress.sol', 'ReceiptForwarder'],
  'receipt-address-factory.json': ['ReceiptAddress.sol', 'ReceiptAddressFactory'],
  'coin-balances.json': ['CoinBalances.sol', 'CoinBalances'],
  'hostile-token.json': ['test/Hostile.sol', 'HostileToken'],
  'silent-token.json': ['test/Hostile.sol', 'SilentToken'],
  'hostile-account.json': ['test/Hostile.sol', 'HostileAccount'],
  'hostile-stranger.json': ['test/Hostile.sol', 'HostileStranger'],
  'hostile-money.json': ['test/HostileReceipts.sol', 'HostileMoney'],
  'hostile-split.json': ['test/HostileReceipts.sol', 'HostileSplit'],
  'payer.json': ['test/HostileReceipts.sol', 'Payer'],
  'smart-account.json': ['test/SmartAccount.sol', 'SmartAccount'],
  'smart-account-factory.json': ['test/SmartAccount.sol', 'SmartAccountFactory'],
};

/**
 * The artifacts that are never compiled again: addresses that were shown to buyers depend on their bytes, and another
 * compiler would give others. A test pins their sources. A change of them is another contract, beside this one.
 */
const FROZEN: readonly string[] = ['receipt-forwarder.json', 'receipt-address-factory.json'];

const sources = [
  'Splitter.sol',
  'TestToken.sol',
  'TestTokenWithAuthorization.sol',
  'TestPriceFeed.sol',
  'SpendPermission.sol',
  'SpendPermissionManager.sol',
  'SpendPermissionCharger.sol',
  'SpendPermissionAccount.sol',
  'ReceiptAddress.sol',
  'CoinBalances.sol',
  'test/SmartAccount.sol',
  'test/Hostile.sol',
  'test/HostileReceipts.sol',
];

/**
 * No metadata in the bytecode, so that comments and paths do not change it. `paris` has no PUSH0, which some chains do
 * not support.
 */
const settings = {
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 200 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

interface CompiledContract {
  abi: unknown[];
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, CompiledContract>>;
}

interface Compiler {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
}

const require = createRequire(import.meta.url);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The artifacts' texts by file name. Throws with the compiler's messages if a source does not compile. */
function compile(): Map<string, string> {
  const solc = require('solc') as Compiler;
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map((path) => [path, { content: readFileSync(here(path), 'utf8') }])),
    settings,
  };
  const importSource = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: importSource })) as CompilerOutput;
  const faults = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'));

  const texts = new Map<string, string>();
  for (const [file, [source, name]] of Object.entries(artifacts)) {
    const contract = output.contracts[source]?.[name];
    if (!contract) throw new Error(`${source} has no contract ${name}`);
    texts.set(file, artifactText(contract));
  }
  return texts;
}

/** One line per entry of the ABI, for readable diffs. */
function artifactText({ abi, evm }: CompiledContract): string {
  const entries = abi.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  const { bytecode, deployedBytecode } = evm;
  return `{
  "abi": [
${entries}
  ],
  "bytecode": "0x${bytecode.object}",
  "deployedBytecode": "0x${deployedBytecode.object}"
}
`;
}

/** The names of the artifacts that are missing or differ from the compiled sources. */
export function findDrift(): string[] {
  const checkedIn = (file: string) => {
    try {
      return readFileSync(here(file), 'utf8');
    } catch {
      return null;
    }
  };
  return [...compile()]
    .filter(([file, text]) => !FROZEN.includes(file) && checkedIn(file) !== text)
    .map(([file]) => file);
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const drift = findDrift();
    for (const file of drift) console.error(`${file} differs from its source: run \`npm run contracts\``);
    process.exitCode = drift.length > 0 ? 1 : 0;
  } else {
    for (const [file, text] of compile()) if (!FROZEN.includes(file)) writeFileSync(here(file), text);
  }
}
