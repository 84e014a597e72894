import { WORDS } from './generated/words.ts';

/** What a checkout tells its page: the payment was seen, is confirmed, cannot be made any more, or the form closed. */
export type CheckoutEvent = 'seen' | 'paid' | 'ended' | 'closed';

export interface CheckoutOptions {
  /** The address of the server. */
  readonly url: string;
  /** The id of the receipt. */
  readonly receipt: string;
  /** The `checkoutToken` that the shop's server was given with the receipt. */
  readonly token: string;
  /** The element that the form stands in. Without it the form is a dialog over the page. */
  readonly within?: Node;
  /** The language of the form. Without it: that of the receipt, else of the browser, else of the shop. */
  readonly language?: string;
  /** What screen readers call the form, and the button that closes the dialog. */
  readonly title?: string;
  readonly closeLabel?: string;
  /** Called for each event, once for each kind. */
  readonly onEvent?: (event: CheckoutEvent) => void;
}

/** A form that is shown. */
export interface Checkout {
  /** Removes the form. */
  close(): void;
}

interface Provider {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
}

interface Announced {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string; readonly rdns: string };
  readonly provider: Provider;
}

/** What the frame sends. */
type Message =
  | { readonly type: 'stage'; readonly stage: string }
  | { readonly type: 'size'; readonly height: number }
  | { readonly type: 'go'; readonly url: string }
  | { readonly type: 'escape' }
  | { readonly type: 'call'; readonly id: number; readonly wallet: string; readonly method: string; params?: unknown };

/** What a payment asks of a wallet. Everything else is refused here, whatever the frame asks. */
const METHODS: ReadonlySet<string> = new Set([
  ...['eth_requestAccounts', 'eth_accounts', 'eth_chainId', 'eth_sendTransaction', 'eth_signTypedData_v4'],
  ...['wallet_switchEthereumChain', 'wallet_addEthereumChain'],
]);

const EVENTS: Readonly<Record<string, CheckoutEvent>> = {
  ...{ seen: 'seen', paid: 'paid', completed: 'paid', ended: 'ended' },
};

/** The words around the form in a language, else in that of the page. */
export const wordsIn = (language: string = ''): (typeof WORDS)['en'] => {
  const tags = [language, document.documentElement.lang, navigator.language].map((tag) => tag.split('-')[0] ?? '');
  return WORDS[(tags.find((tag) => Object.hasOwn(WORDS, tag)) ?? 'en') as keyof typeof WORDS];
};

const LEGACY_MS = 250;
const MOST_HEIGHT = 6_000;

/**
 * Shows the payment page of a receipt in the shop's own page. It needs the page's origin among those that the merchant
 * has listed. Wallets of the page are offered in it. After the payment the buyer goes to the address that the receipt
 * was made with.
 */
export function openCheckout(options: CheckoutOptions): Checkout {
  const { url, receipt, token, within, language, onEvent = () => {} } = options;
  const { title = wordsIn(language).payment, closeLabel = wordsIn(language).close } = options;
  const { origin } = new URL(url);
  const frame = document.createElement('iframe');
  const query = new URLSearchParams({ checkout: token, ...(language && { lang: language }) });
  frame.src = `${url.replace(/\/$/, '')}/embed/${encodeURIComponent(receipt)}?${query}`;
  frame.title = title;
  frame.allow = 'clipboard-write';
  frame.referrerPolicy = 'no-referrer';
  Object.assign(frame.style, { display: 'block', width: '100%', height: within ? '640px' : '100%', border: '0' });

  const reported = new Set<CheckoutEvent>();
  const tell = (event: CheckoutEvent | undefined) => {
    if (!event || reported.has(event)) return;
    reported.add(event);
    onEvent(event);
  };
  let port: MessagePort | null = null;
  const wallets = watchWallets((info) => port?.postMessage({ type: 'wallet', info }));
  const call = async (id: number, wallet: string, method: string, params: unknown) => {
    try {
      if (!METHODS.has(method)) throw Object.assign(new Error(method), { code: 4200 });
      const result = await wallets.found.get(wallet)?.provider.request({ method, params });
      port?.postMessage({ type: 'answer', id, result });
    } catch (error) {
      const { code, message, data } = error as { code?: number; message?: string; data?: unknown };
      port?.postMessage({ type: 'answer', id, error: { code, message: String(message), data: plain(data) } });
    }
  };
  const take = (message: Message) => {
    if (message.type === 'stage') tell(EVENTS[message.stage]);
    else if (message.type === 'size' && within)
      frame.style.height = `${Math.min(Math.max(Number(message.height) || 0, 200), MOST_HEIGHT)}px`;
    else if (message.type === 'escape') popup?.close();
    else if (message.type === 'go' && /^https?:\/\//.test(message.url)) location.assign(message.url);
    else if (message.type === 'call') void call(message.id, message.wallet, message.method, message.params);
  };
  // Each document of the frame gets a channel of its own, which only a document of the server can receive: nothing is
  // read from messages that anyone may send to a window.
  frame.addEventListener('load', () => {
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.onmessage = ({ data }) => take(data as Message);
    frame.contentWindow?.postMessage({ type: 'quittance' }, origin, [channel.port2]);
    for (const { info } of wallets.found.values()) port.postMessage({ type: 'wallet', info });
  });

  const end = () => {
    wallets.stop();
    port?.close();
    frame.remove();
    tell('closed');
  };
  const popup = within ? null : openDialog(frame, { title, closeLabel, end });
  within?.appendChild(frame);
  return { close: popup ? popup.close : end };
}

/** What can be sent to another window of an error's data. */
const plain = (data: unknown): unknown => (data === undefined ? undefined : JSON.parse(JSON.stringify(data)));

/** The wallets of the page (EIP-6963), else the one that it has as `ethereum`. */
function watchWallets(onFound: (info: Announced['info']) => void) {
  const found = new Map<string, Announced>();
  const add = ({ info: { uuid, name, icon, rdns }, provider }: Announced) => {
    if (found.has(uuid)) return;
    const info = { uuid, name, icon, rdns };
    found.set(uuid, { info, provider });
    onFound(info);
  };
  const listen = (event: Event) => add((event as CustomEvent<Announced>).detail);
  addEventListener('eip6963:announceProvider', listen);
  dispatchEvent(new Event('eip6963:requestProvider'));
  const timer = setTimeout(() => {
    const { ethereum: provider } = globalThis as { ethereum?: Provider };
    if (provider && found.size === 0)
      add({ info: { uuid: 'page', name: 'browser wallet', icon: '', rdns: '' }, provider });
  }, LEGACY_MS);
  return {
    found,
    stop() {
      clearTimeout(timer);
      removeEventListener('eip6963:announceProvider', listen);
    },
  };
}

interface DialogOptions {
  readonly title: string;
  readonly closeLabel: string;
  readonly end: () => void;
}

/** Shows the frame in a dialog, which Escape, its button and the browser's Back close. */
function openDialog(frame: HTMLIFrameElement, { title, closeLabel, end }: DialogOptions): Checkout {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', title);
  Object.assign(dialog.style, {
    ...{ width: 'min(520px, 100vw)', height: 'min(860px, 100dvh)', maxWidth: 'none', maxHeight: 'none' },
    ...{ padding: '0', border: '0', borderRadius: '16px', overflow: 'hidden' },
  });
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('aria-label', closeLabel);
  button.textContent = '×';
  Object.assign(button.style, {
    ...{ position: 'absolute', top: '8px', right: '8px', width: '44px', height: '44px', borderRadius: '50%' },
    ...{
      border: '0',
      background: '#0000000f',
      color: 'inherit',
      font: '24px/1 system-ui, sans-serif',
      cursor: 'pointer',
    },
  });
  let isOpen = true;
  const remove = () => {
    if (!isOpen) return;
    isOpen = false;
    removeEventListener('popstate', remove);
    dialog.close();
    dialog.remove();
    end();
  };
  const close = () => {
    if (!isOpen) return;
    remove();
    // Takes away the entry that the dialog has added, unless the page has gone on.
    if (history.state?.quittance === entry) history.back();
  };
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    close();
  });
  button.addEventListener('click', close);
  addEventListener('popstate', remove);
  const entry = crypto.getRandomValues(new Uint32Array(1))[0];
  history.pushState({ ...history.state, quittance: entry }, '');
  dialog.append(frame, button);
  document.body.append(dialog);
  dialog.showModal();
  return { close };
}
