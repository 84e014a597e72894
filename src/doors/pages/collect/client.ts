import { formatUnits } from 'viem';
import {
  type AddressRecord,
  type AskNode,
  type CollectState,
  type CollectStep,
  collectSteps,
  readCollectState,
  readRecord,
} from '../../../base/chain/receipt-record.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';
import { walletFailure } from '../../../domain/payments/cards/wallet-failures.ts';
import { discoverWallets, LEGACY_WALLET, type WalletChoice } from '../client/discover-wallets.ts';
import { createDrawer } from '../client/draw.ts';
import { pageWords, part } from '../client/page.ts';
import {
  connectAccount,
  connectFault,
  errorCode,
  type Provider,
  sendTransaction,
  switchChain,
} from '../client/wallet.ts';
import { type Html, html, own } from '../shared/html.ts';

document.documentElement.classList.add('js');

const say = pageWords('collect');
const sayWallet = pageWords('wallet');
const draw = createDrawer(part('stage'));
const form = part('form') as HTMLFormElement;
const textOf = (id: string) => (part(id) as HTMLInputElement).value.trim();

/** Why nothing goes on: the code, its sentence and what belongs to it. */
interface Problem {
  readonly code: string;
  readonly text: string;
  readonly detail?: string | undefined;
}

interface Connected {
  readonly provider: Provider;
  readonly account: string;
  readonly chainId: number;
}

let record: AddressRecord | null = null;
/** Null is the coin of the network. */
let token: Wallet | null = null;
let wallets: WalletChoice[] = [];
let connected: Connected | null = null;
let state: CollectState | null = null;
let problem: Problem | null = null;
/** What the page waits for; null if a button may be pressed. */
let doing: string | null = null;
/** Whether this page has sent the last step of this record. */
let collected = false;

/** The problems that are sentences by themselves. */
type Code = 'json' | 'otherSplit' | 'token' | 'noToken' | 'noFactory' | 'noSplit' | 'rejected' | 'funds' | WhenSent;
type WhenSent = 'reverted' | 'noEffect' | 'signed' | 'network';

const fault = (code: Code, detail?: string): Problem => ({ code, text: say(`fault.${code}`), detail });

/** The problem that a wallet's error is. */
function problemOf(error: unknown): Problem {
  const connecting = connectFault(error);
  if (connecting === 'elsewhere') {
    const chain = say('chain', { id: String(record?.onlyChainId ?? connected?.chainId ?? '') });
    return { code: connecting, text: sayWallet(connecting, { chain }) };
  }
  if (connecting) return { code: connecting, text: sayWallet(connecting) };
  switch (walletFailure(errorCode(error), String((error as { message?: string } | null)?.message ?? ''))) {
    case 'PORTAL_CHAIN_USER_REJECTED':
      return fault('rejected');
    case 'PORTAL_CHAIN_INSUFFICIENT_BALANCE':
      return fault('funds');
    case 'PORTAL_CHAIN_TX_REVERTED':
      return fault('reverted');
    default:
      return fault('network');
  }
}

const row = (name: string, value: Html): Html =>
  html`<div class="field"><dt>${name}</dt><dd class="value mono">${value}</dd></div>`;

function amountText(amount: bigint, { decimals, symbol }: CollectState): string {
  if (decimals === null) return `${amount} ${say('units')}`;
  return `${formatUnits(amount, decimals)} ${token === null ? say('coins') : (symbol ?? '')}`.trim();
}

const heading = (text: string): Html => html`<h2 id="stage-title" tabindex="-1">${text}</h2>`;

const button = (action: string, kind: 'primary' | 'quiet', text: string, wallet: string | null = null): Html =>
  html`<button type="button" class="button ${kind}" data-do="${action}" ${wallet !== null && html`data-wallet="${wallet}"`} ${doing !== null && html`aria-disabled="true"`}>${doing !== null && kind === 'primary' && html`<span class="spinner" aria-hidden="true"></span>`}<span>${kind === 'primary' ? (doing ?? text) : text}</span></button>`;

const connectButton = ({ id, name }: WalletChoice): Html =>
  button('connect', 'primary', id === LEGACY_WALLET ? say('connect.any') : say('connect', { wallet: name }), id);

function walletChoice(): [stage: string, markup: Html] {
  const choices = wallets.length > 0 ? wallets.map(connectButton) : html`<p class="hint">${say('noWallet')}</p>`;
  const text = html`<p class="hint">${say('connect.text')}</p>`;
  return ['connect', html`${heading(say('connect.title'))}${text}<div class="actions">${choices}</div>`];
}

const stepRow = ({ name }: CollectStep): Html => html`<li data-step="${name}">${say(`step.${name}`)}</li>`;

/** What is left to do, or that nothing is. */
function work(): [stage: string, markup: Html] {
  const again = button('again', 'quiet', say('again'));
  if (!record || !state) return ['unread', html`<div class="actions">${again}</div>`];
  const steps = collectSteps(record, state, token);
  if (typeof steps === 'string') return ['refused', html`<div class="actions">${again}</div>`];
  if (steps.length > 0)
    return [
      'steps',
      html`${heading(say('steps', { count: steps.length }))}<ol class="transactions">${steps.map(stepRow)}</ol><div class="actions">${button('send', 'primary', say('send'))}${again}</div>`,
    ];
  const [stage, title, text] = collected
    ? ['done', say('done.title'), say('done.text')]
    : ['nothing', say('nothing.title'), say('nothing.text')];
  return [stage, html`${heading(title)}<p class="hint">${text}</p><div class="actions">${again}</div>`];
}

function show(): void {
  const [stage, markup] = !record ? ['start', html``] : connected ? work() : walletChoice();
  part('stage').dataset.stage = stage;
  const facts =
    record &&
    html`<dl class="fields facts">${row(say('address'), own(record.address))}${row(say('split'), own(record.split))}${connected && row(say('network'), own(say('chain', { id: String(connected.chainId) })))}${state && html`${row(say('held'), own(amountText(state.held, state)))}${row(say('atSplit'), own(amountText(state.atSplit, state)))}`}</dl>`;
  const note =
    problem &&
    html`<p class="note notice" role="alert" data-fault="${problem.code}">${problem.text}${problem.detail && html`<code tabindex="0">${problem.detail}</code>`}</p>`;
  draw({ stage, markup: html`${facts}${note}${markup}`, announcement: '' });
}

/** Runs what a button asks for, and shows what became of it. One at a time. */
async function run(words: string, action: () => Promise<void>): Promise<void> {
  if (doing !== null) return;
  [doing, problem] = [words, null];
  show();
  try {
    await action();
  } catch (error) {
    problem = problemOf(error);
  }
  doing = null;
  show();
}

function check(): void {
  [record, state, problem, collected] = [null, null, null, false];
  const given = readRecord(textOf('record'));
  token = textOf('token') === '' ? null : parseWallet(textOf('token'));
  if (!('fault' in given)) {
    if (textOf('token') !== '' && token === null) problem = fault('token');
    else record = given;
  } else if (given.fault === 'field') {
    problem = { code: 'field', text: say('fault.field', { field: given.field }) };
  } else if (given.fault === 'otherAddress') {
    problem = { code: 'otherAddress', text: say('fault.otherAddress', { address: given.address }) };
  } else problem = fault(given.fault);
  show();
  if (record && connected) void run(say('reading'), read);
}

/** Reads the chain that the wallet is on, or the only one where the split is. */
async function read(): Promise<void> {
  if (!record || !connected) return;
  const { provider } = connected;
  state = null;
  const only = record.onlyChainId;
  if (only !== null) await switchChain(provider, { id: only, name: String(only) });
  connected = { ...connected, chainId: Number(await provider.request({ method: 'eth_chainId' })) };
  state = await readCollectState(provider.request.bind(provider) as AskNode, record, token);
  if (state === null) {
    problem = fault('noToken');
    return;
  }
  const steps = collectSteps(record, state, token);
  if (steps === 'factory') problem = fault('noFactory');
  if (steps === 'split') problem = fault('noSplit');
}

const connect = (id: string): Promise<void> =>
  run(sayWallet('connecting'), async () => {
    const provider = wallets.some((wallet) => wallet.id === id) ? found.provider(id) : null;
    if (!provider) return;
    connected = { provider, account: await connectAccount(provider), chainId: 0 };
    await read();
  });

const LOOK_MS = 1_000;

/** Waits until a transaction is in a block. Returns whether it did what it was to do. */
async function mined({ provider }: Connected, hash: string): Promise<boolean> {
  for (;;) {
    const found = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] });
    if (found) return Number((found as { status: string }).status) === 1;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Asks the wallet for the first of the steps that are left, and reads what is left after it. */
async function sendStep(): Promise<void> {
  const steps = record && state ? collectSteps(record, state, token) : [];
  if (!connected || typeof steps === 'string' || !steps[0]) return;
  const [step] = steps;
  const hash = await sent(connected, step);
  if (hash === null) return;
  doing = say('mining');
  show();
  const succeeded = await mined(connected, hash);
  collected = succeeded && step.name === 'collect';
  await read();
  const isLeft = record && state && collectSteps(record, state, token).length > 0;
  if (!succeeded) problem = fault('reverted');
  else if (collected && isLeft) problem = fault('noEffect');
}

/** Sends a step. Null if the wallet cannot. */
async function sent({ provider, account, chainId }: Connected, step: CollectStep): Promise<string | null> {
  if (step.name !== 'deployer') {
    const { to, data, value = 0n } = step.call;
    return sendTransaction(provider, chainId, { from: account, to, data, value: `0x${value.toString(16)}` });
  }
  try {
    return (await provider.request({ method: 'eth_sendRawTransaction', params: [step.signed] })) as string;
  } catch {
    problem = fault('signed', step.signed);
    return null;
  }
}

const found = discoverWallets((choices) => {
  wallets = choices;
  show();
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (doing === null) check();
});

part('stage').addEventListener('click', ({ target }) => {
  const { do: action, wallet } = (target as Element).closest<HTMLElement>('[data-do]')?.dataset ?? {};
  if (action === 'connect' && wallet !== undefined) void connect(wallet);
  if (action === 'send') void run(sayWallet('confirm'), sendStep);
  if (action === 'again') void run(say('reading'), read);
});
