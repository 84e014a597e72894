import { GO } from '../client/go-to.ts';
import type { Provider } from '../client/wallet.ts';

/* The side of the frame: what it reports to the page around it, and which wallets of that page it offers. */

interface Info {
  readonly uuid: string;
  readonly name: string;
  readonly icon: string;
  readonly rdns: string;
}

/** What the page around the frame sends. */
type Message =
  | { readonly type: 'wallet'; readonly info: Info }
  | { readonly type: 'answer'; readonly id: number; readonly result?: unknown; readonly error?: object };

/** The origins that the merchant has listed. */
const origins = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="embed-origins"]')?.content ?? '[]',
) as readonly string[];

/** Takes the channel of the page around this one, once, and only from a listed origin. */
function greet({ source, origin, data, ports: [port] }: MessageEvent<{ type?: unknown } | null>): void {
  if (source !== window.parent || source === window || !origins.includes(origin)) return;
  if (data?.type !== 'quittance' || !port) return;
  window.removeEventListener('message', greet);
  serve(port);
}

function serve(port: MessagePort): void {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let calls = 0;
  const providerOf = (wallet: string): Provider => ({
    request: ({ method, params }) =>
      new Promise((resolve, reject) => {
        const id = ++calls;
        open.set(id, { resolve, reject });
        port.postMessage({ type: 'call', id, wallet, method, params });
      }),
  });
  // A wallet that is in this document as well is used directly.
  const own = new Set<string>();
  window.addEventListener('eip6963:announceProvider', (event) => {
    own.add((event as CustomEvent<{ info?: Info }>).detail?.info?.rdns ?? '');
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const offer = ({ uuid, name, icon, rdns }: Info) => {
    if (rdns !== '' && own.has(rdns)) return;
    const info = { uuid: String(uuid), name: String(name), icon: String(icon), rdns: String(rdns) };
    const detail = Object.freeze({ info, provider: providerOf(info.uuid) });
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  };
  port.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'wallet') return offer(data.info);
    const call = open.get(data.id);
    open.delete(data.id);
    if (data.error) call?.reject(Object.assign(new Error(), data.error));
    else call?.resolve(data.result);
  };
  tellStages(port);
  new ResizeObserver(() => port.postMessage({ type: 'size', height: document.body.scrollHeight })).observe(
    document.body,
  );
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') port.postMessage({ type: 'escape' });
  });
  window.addEventListener(GO, (event) => {
    event.preventDefault();
    port.postMessage({ type: 'go', url: (event as CustomEvent<string>).detail });
  });
}

/** Tells each state that the payment comes to. */
function tellStages(port: MessagePort): void {
  let last: string | undefined;
  const look = () => {
    const stage = document.querySelector<HTMLElement>('[data-stage]')?.dataset.stage;
    if (!stage || stage === last) return;
    last = stage;
    port.postMessage({ type: 'stage', stage });
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  look();
}

/** What leaves this page opens in the whole tab: apps of wallets, the shop, the printed receipt. */
function leaveAtTop({ target }: Event): void {
  const way = target instanceof Element ? target.closest<HTMLAnchorElement | HTMLFormElement>('a[href], form') : null;
  if (!way || way.target) return;
  const to = new URL(way instanceof HTMLAnchorElement ? way.href : way.action);
  if (to.origin + to.pathname !== location.origin + location.pathname) way.target = '_top';
}

// The page around it has a main part of its own.
document.getElementById('portal')?.setAttribute('aria-label', document.title);
window.addEventListener('message', greet);
document.addEventListener('click', leaveAtTop, true);
document.addEventListener('submit', leaveAtTop, true);
