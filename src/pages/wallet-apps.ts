/** A wallet app, and the address that opens a web page in its browser. */
export interface WalletApp {
  readonly name: string;
  readonly link: string;
}

/**
 * The addresses that open a page in the browser of common wallet apps. There is no address that every app understands, so the reader chooses.
 *
 * @param pageUrl absolute, `https:` outside a test network: the apps open no other
 */
export function walletApps(pageUrl: string): WalletApp[] {
  const { host, pathname, search } = new URL(pageUrl);
  const encoded = encodeURIComponent(pageUrl);
  return [
    { name: 'MetaMask', link: `https://metamask.app.link/dapp/${host}${pathname}${search}` },
    { name: 'Coinbase Wallet', link: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    { name: 'Trust Wallet', link: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}` },
  ];
}
